// Many positions side by side, and what the files that bind them share.
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
  Terms terms;
  mutable std::mutex busy;  // held while rows are looked at or changed without Python's lock
  // By thread, the actions listed last: memory that is taken once.
  mutable std::vector<std::vector<int32_t>> listed;

  Batch() = default;
  Batch(const Batch& o) : rows(o.rows), starts(o.starts), terms(o.terms) {}

  size_t size() const { return rows.size(); }
  Standing standing(size_t i) const { return rows[i].standing(terms); }
  bool is_open(size_t i) const { return standing(i) == Standing::Open; }
};

// Without Python's lock, and alone with the batch. The batch's is taken last and given back first.
class Alone {
 public:
  explicit Alone(const Batch& b) : lock_(b.busy) {}

 private:
  nanobind::gil_scoped_release release_;
  std::lock_guard<std::mutex> lock_;
};

// One thread's share of the rows, and which of the shares it is.
struct Share {
  size_t begin, end, number;
};

inline constexpr int most_threads = 256;
inline size_t checked_threads(int threads) {
  if (threads < 1 || threads > most_threads) throw nanobind::value_error("the number of threads is from 1 to 256");
  return static_cast<size_t>(threads);
}

// Calls f(share) for as many shares of 0..n-1 as there are threads. What comes out does not depend on their number as
// long as f does one row like the other. A thread that cannot be had is done without.
template <class F>
void divide(size_t n, int threads, F&& f) {
  const size_t shares = std::min(n, checked_threads(threads));
  if (shares <= 1) return f(Share{0, n, 0});
  std::vector<std::exception_ptr> failed(shares);
  {
    std::vector<std::jthread> others;
    others.reserve(shares);
    for (size_t k = 0; k < shares; ++k) {
      const auto work = [&f, &failed, mine = Share{n * k / shares, n * (k + 1) / shares, k}] {
        try {
          f(mine);
        } catch (...) {
          failed[mine.number] = std::current_exception();
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

// Arrays that are given. Their shapes are held against the batch here too: what comes from Python is never trusted.
template <class T, int Dimensions>
using Given = nanobind::ndarray<T, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

template <class Array>
auto begin_of(const Array& array, size_t size) {
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
nanobind::ndarray<nanobind::numpy, T> copied(const std::vector<T>& values) {
  std::unique_ptr<T[]> flat(new T[values.size() + 1]);
  std::copy(values.begin(), values.end(), flat.get());
  return make_array(std::move(flat), values.size());
}

// Playing in a batch, into arrays that are given.
void bind_play(nanobind::module_& m, nanobind::class_<Batch>& batch);

}  // namespace punct::bindings
