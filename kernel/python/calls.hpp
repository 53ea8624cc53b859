// Long calls from Python: Ctrl-C ends them, and a fork waits for them.
#pragma once

#include <nanobind/nanobind.h>

namespace punct::bindings {

// Runs Python's signal handlers if it is time to, at most every 50 ms; throws what they raise, such as
// KeyboardInterrupt. For loops that take long, with the GIL or without it, on the thread that Python called.
void poll_signals();

// One call that works without the GIL on data that others may use. In the child of a fork no other thread runs on, so
// what one held would be held for ever: a fork waits until there is no such call.
class ForkGuard {
 public:
  ForkGuard();
  ~ForkGuard();
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;
};

void bind_calls(nanobind::module_& m);

}  // namespace punct::bindings
