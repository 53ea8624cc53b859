#include "calls.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "workers.hpp"

namespace nb = nanobind;

namespace punct::bindings {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds poll_interval{50};

std::mutex calls_mutex;  // held while the process forks
std::condition_variable call_ended;
int calls = 0;
thread_local int own_calls = 0;  // a signal handler may fork in the middle of one

void before_fork() {
  nb::gil_scoped_release unlocked;  // calls that are to end may need it
  std::unique_lock lock(calls_mutex);
  call_ended.wait(lock, [] { return calls == own_calls; });
  lock.release();
}

void after_fork_in_parent() { calls_mutex.unlock(); }

void after_fork_in_child() {
  calls_mutex.unlock();
  WorkerPool::forget();
}

}  // namespace

void poll_signals() {
  thread_local Clock::time_point last{};
  const Clock::time_point now = Clock::now();
  if (now - last < poll_interval) return;
  last = now;
  nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

ForkGuard::ForkGuard() {
  const std::lock_guard lock(calls_mutex);
  ++calls;
  ++own_calls;
}

ForkGuard::~ForkGuard() {
  {
    const std::lock_guard lock(calls_mutex);
    --calls;
    --own_calls;
  }
  call_ended.notify_all();
}

void bind_calls(nb::module_&) {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&WorkerPool::close));
  const nb::module_ os = nb::module_::import_("os");
  if (!nb::hasattr(os, "register_at_fork")) return;  // Windows
  nb::dict handlers;
  handlers["before"] = nb::cpp_function(&before_fork);
  handlers["after_in_parent"] = nb::cpp_function(&after_fork_in_parent);
  handlers["after_in_child"] = nb::cpp_function(&after_fork_in_child);
  os.attr("register_at_fork")(**handlers);
}

}  // namespace punct::bindings
