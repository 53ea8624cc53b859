// Threads that share the rows of a batch: started when first needed, and kept for later calls, which come every
// fraction of a millisecond.
#pragma once

#include <cstddef>

namespace punct::bindings {

class WorkerPool {
 public:
  // Calls `run(context, chunk)` for each chunk from 0 on, on the calling thread and up to `threads - 1` others, until
  // all are done or one throws, which is thrown again here. Whoever is free takes the next chunk. The calling thread
  // alone calls `between` before each of its chunks. A call during another one gets no other threads. A child that
  // `between` forks throws runtime_error, for it has none of them.
  static void share(size_t chunks, int threads, void (*run)(void* context, size_t chunk), void* context,
                    void (*between)());
  // Ends the threads; later calls get none.
  static void close();
  // In the child of a fork, where there are none of them: begins anew.
  static void forget();
};

}  // namespace punct::bindings
