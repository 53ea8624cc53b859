// Many positions side by side, and helpers shared by the files that bind them.
#pragma once

#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bindings.hpp"
#include "calls.hpp"
#include "core/episode.hpp"
#include "workers.hpp"

namespace punct::bindings {

struct Batch {
  std::vector<Episode> rows;
  std::vector<Position> starts;
  EpisodeRules episode_rules;
  mutable std::mutex mutex;                     // held while rows are read or changed without the GIL
  mutable std::atomic<std::thread::id> user{};  // the thread that holds it
  // By chunk, a buffer for listed actions, which keeps its memory.
  mutable std::vector<std::vector<int32_t>> listed;

  Batch() = default;
  Batch(const Batch& o) : rows(o.rows), starts(o.starts), episode_rules(o.episode_rules) {}

  size_t size() const { return rows.size(); }
  EpisodeResult result(size_t i) const { return rows[i].result(episode_rules); }
  bool is_open(size_t i) const { return result(i) == EpisodeResult::Open; }
};

// Releases the GIL, then locks the batch; on destruction in reverse order. Throws if this thread has it locked already:
// then it is in the signal handler of a call that it interrupts.
class ExclusiveBatch {
 public:
  explicit ExclusiveBatch(const Batch& b) : user_(checked_user(b)), lock_(b.mutex) {
    user_.store(std::this_thread::get_id());
  }
  ~ExclusiveBatch() { user_.store({}); }

 private:
  static std::atomic<std::thread::id>& checked_user(const Batch& b) {
    if (b.user.load() == std::this_thread::get_id())
      throw std::runtime_error("the batch cannot be used in a signal handler while a call of it is interrupted");
    return b.user;
  }

  std::atomic<std::thread::id>& user_;
  nanobind::gil_scoped_release release_;
  ForkGuard guard_;
  std::lock_guard<std::mutex> lock_;
};

inline constexpr int max_threads = 256;
inline size_t checked_threads(int threads) {
  if (threads < 1 || threads > max_threads) throw nanobind::value_error("the number of threads is from 1 to 256");
  return static_cast<size_t>(threads);
}

// The rows in parts that are small enough to share evenly, and to look for signals in between.
struct Chunks {
  size_t rows, size, count;

  Chunks(size_t n, int threads)
      : rows(n), size(std::clamp<size_t>(n / (8 * checked_threads(threads)), 1, 64)), count((n + size - 1) / size) {}
};

// Some of the rows, and the chunk's number.
struct RowRange {
  size_t begin, end, number;
};

// Calls f(range) for each chunk, on so many threads, with the GIL released. The result does not depend on their number
// as long as f treats all rows alike. Ctrl-C ends it between two chunks, if the work may be left half done.
enum class Interruptible : bool { No, Yes };
template <class F>
void parallel_rows(const Chunks& chunks, int threads, F&& f, Interruptible interruptible = Interruptible::Yes) {
  const auto run = [&](size_t chunk) {
    const size_t begin = chunk * chunks.size;
    f(RowRange{begin, std::min(begin + chunks.size, chunks.rows), chunk});
  };
  using Run = decltype(run);
  WorkerPool::share(
      chunks.count, threads, [](void* context, size_t chunk) { (*static_cast<const Run*>(context))(chunk); },
      const_cast<void*>(static_cast<const void*>(&run)), interruptible == Interruptible::Yes ? poll_signals : nullptr);
}

template <class F>
void parallel_rows(size_t n, int threads, F&& f, Interruptible interruptible = Interruptible::Yes) {
  parallel_rows(Chunks(n, threads), threads, f, interruptible);
}

// Arrays from the caller. Their sizes are checked here too: nothing that comes from Python is trusted.
template <class T, int Dimensions>
using ArrayArg = nanobind::ndarray<T, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

template <class Array>
auto checked_data(const Array& array, size_t size) {
  if (array.size() != size) throw nanobind::value_error("an array has another size than the batch needs");
  return array.data();
}

template <class T, class... Shape>
nanobind::ndarray<nanobind::numpy, T> make_array(std::unique_ptr<T[]> data, Shape... shape) {
  T* raw = data.release();
  nanobind::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nanobind::ndarray<nanobind::numpy, T>(raw, {static_cast<size_t>(shape)...}, owner);
}

template <class T>
nanobind::ndarray<nanobind::numpy, T> array_of(const std::vector<T>& values) {
  std::unique_ptr<T[]> flat(new T[values.size() + 1]);
  std::copy(values.begin(), values.end(), flat.get());
  return make_array(std::move(flat), values.size());
}

// Binds the functions that play in a batch and write into the caller's arrays.
void bind_play(nanobind::module_& m, nanobind::class_<Batch>& batch);

}  // namespace punct::bindings
