// The Python module punct._kernel. Its public wrapper is punct.kernel.
#include "bindings.hpp"
#include "calls.hpp"

NB_MODULE(_kernel, m) {
  m.doc() = "The fast twin of the rules of PÜNCT.";
  punct::bindings::bind_calls(m);
  punct::bindings::bind_track(m);
  punct::bindings::bind_batch(m);
  punct::bindings::bind_episode(m);
  punct::bindings::bind_analysis(m);
  punct::bindings::bind_proof(m);
  punct::bindings::bind_search(m);
  punct::bindings::bind_network(m);
  punct::bindings::bind_boardspace(m);
  punct::bindings::bind_openings(m);
  punct::bindings::bind_view(m);
}
