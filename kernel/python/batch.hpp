// Many positions side by side, and helpers shared by the files that bind them.
#pragma once

#include <nanobind/ndarray.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "bindings.hpp"
#include "core/episode.hpp"

namespace punct::bindings {

struct Batch {
  std::vector<Episode> rows;
  std::vector<Position> starts;
  EpisodeRules episode_rules;
  mutable std::mutex mutex;  // held while rows are read or changed without the GIL
  // By thread, a buffer for listed actions, which keeps its memory.
  mutable std::vector<std::vector<int32_t>> listed;

  Batch() = default;
  Batch(const Batch& o) : rows(o.rows), starts(o.starts), episode_rules(o.episode_rules) {}

  size_t size() const { return rows.size(); }
  EpisodeResult result(size_t i) const { return rows[i].result(episode_rules); }
  bool is_open(size_t i) const { return result(i) == EpisodeResult::Open; }
};

// Releases the GIL, then locks the batch; on destruction in reverse order.
class ExclusiveBatch {
 public:
  explicit ExclusiveBatch(const Batch& b) : lock_(b.mutex) {}

 private:
  nanobind::gil_scoped_release release_;
  std::lock_guard<std::mutex> lock_;
};

// One thread's rows, and the thread's number.
struct RowRange {
  size_t begin, end, number;
};

inline constexpr int max_threads = 256;
inline size_t checked_threads(int threads) {
  if (threads < 1 || threads > max_threads) throw nanobind::value_error("the number of threads is from 1 to 256");
  return static_cast<size_t>(threads);
}

// Divides the rows 0..n-1 among the threads and calls f(range) for each. The result does not depend on their number as
// long as f treats all rows alike. Rows of a thread that cannot be started are done by the calling one.
template <class F>
void parallel_rows(size_t n, int threads, F&& f) {
  const size_t shares = std::min(n, checked_threads(threads));
  if (shares <= 1) return f(RowRange{0, n, 0});
  std::vector<std::exception_ptr> failed(shares);
  {
    std::vector<std::jthread> others;
    others.reserve(shares);
    for (size_t k = 0; k < shares; ++k) {
      const auto work = [&f, &failed, range = RowRange{n * k / shares, n * (k + 1) / shares, k}] {
        try {
          f(range);
        } catch (...) {
          failed[range.number] = std::current_exception();
        }
      };
      if (k + 1 == shares) {
        work();
        break;
      }
      try {
        others.emplace_back(work);
      } catch (const std::system_error&) {
        work();
      }
    }
  }
  for (const std::exception_ptr& failure : failed)
    if (failure) std::rethrow_exception(failure);
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
