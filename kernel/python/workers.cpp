#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/compiler.hpp"

namespace punct::bindings {
namespace {

// How long a thread waits for the next call, or the calling one for the last chunk, before it sleeps: waking takes
// longer than many a call.
constexpr std::chrono::microseconds awake{100};

template <class Condition>
void spin_until(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + awake;
  do {
    for (int i = 0; i < 64; ++i) {
      if (condition()) return;
      pause_processor();
    }
  } while (std::chrono::steady_clock::now() < end);
}

// How many forks this process is away from the one that loaded the module.
std::atomic<int> forks{0};

// Whether this thread is in a call that has other threads: a signal handler may begin another one.
thread_local bool is_sharing = false;

constexpr const char* lost_threads =
    "a signal handler forked this process in the middle of a call on several threads, which are not in it: create what "
    "the call was for once more";

struct Job {
  const size_t chunks;
  void (*const run)(void*, size_t);
  void* const context;
  int places;  // for how many more threads
  std::atomic<size_t> next{0};
  std::atomic<bool> has_failed{false};
  std::exception_ptr failure{};

  // Does chunks until there are none left.
  void work(void (*between)()) {
    try {
      for (;;) {
        if (between) between();
        const size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= chunks) return;
        run(context, chunk);
      }
    } catch (...) {
      next.store(chunks, std::memory_order_relaxed);
      if (!has_failed.exchange(true)) failure = std::current_exception();
    }
  }
};

class Pool {
 public:
  void run(Job& job, void (*between)()) {
    if (is_sharing) return job.work(between);  // its own mutex may not even be tried
    const std::unique_lock only_call(call_mutex_, std::try_to_lock);
    is_sharing = only_call && job.places > 0 && invite(job);
    const int began = forks.load();
    job.work(between);
    if (std::exchange(is_sharing, false)) {
      if (forks.load() != began) throw std::runtime_error(lost_threads);
      wait_for_others();
    }
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  bool invite(Job& job) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return false;
    try {
      while (static_cast<int>(threads_.size()) < job.places) threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {  // then fewer have to do
    }
    job_ = &job;
    calls_.fetch_add(1);
    for (int i = std::min(asleep_, job.places); i > 0; --i) wake_.notify_one();
    return true;
  }

  void wait_for_others() {
    {
      const std::lock_guard lock(mutex_);
      job_ = nullptr;  // nobody begins any more
    }
    const auto have_left = [this] { return inside_.load() == 0; };
    spin_until(have_left);
    std::unique_lock lock(mutex_);
    left_.wait(lock, have_left);
  }

  void help() {
    uint64_t seen = 0;
    bool has_worked = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      if (has_worked) {
        lock.unlock();
        spin_until([&] { return calls_.load() != seen; });
        lock.lock();
      }
      ++asleep_;
      wake_.wait(lock, [&] { return is_closed_ || (job_ && calls_.load() != seen); });
      --asleep_;
      if (is_closed_) return;
      seen = calls_.load();
      has_worked = job_->places > 0;
      if (!has_worked) continue;
      --job_->places;
      Job& job = *job_;
      inside_.fetch_add(1);
      lock.unlock();
      job.work(nullptr);
      lock.lock();
      if (inside_.fetch_sub(1) == 1) left_.notify_all();
    }
  }

  std::mutex call_mutex_;  // held by the one call that has the threads
  std::mutex mutex_;       // of what follows
  std::condition_variable wake_, left_;
  std::vector<std::thread> threads_;
  Job* job_ = nullptr;
  std::atomic<uint64_t> calls_{0};
  std::atomic<int> inside_{0};  // threads at work on the job
  int asleep_ = 0;
  bool is_closed_ = false;
};

// Never destroyed: by then its threads may be gone.
Pool* pool = new Pool;

}  // namespace

void WorkerPool::share(size_t chunks, int threads, void (*run)(void*, size_t), void* context, void (*between)()) {
  Job job{chunks, run, context, static_cast<int>(std::min(chunks, static_cast<size_t>(threads))) - 1};
  pool->run(job, between);
  if (job.failure) std::rethrow_exception(job.failure);
}

void WorkerPool::close() { pool->close(); }

void WorkerPool::forget() {
  forks.fetch_add(1);
  pool = new Pool;
}

}  // namespace punct::bindings
