// Fuzz target: any texts as the page's requests. Every answer must be well-formed JSON, a search in slices must end
// with the result of a search in one call, and a level's move must be legal.
//
// The input is lines: a position, then moves. The last line is also explained as a move, and all of it passed as a
// network, which it is not. The searches' network is read from the file that PUNCT_NETWORK names.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

extern "C" {
char* punct_room(int length);
const char* punct_answer();
int punct_board();
int punct_view(int length);
int punct_game(int length);
int punct_explain(int length, bool any_heading);
int punct_status(int length);
int punct_canonical(int length);
int punct_insight(int length);
int punct_network(int length);
int punct_search(int length, double nodes, double seconds, int variations, double seed, bool threat);
int punct_play(int length, int number, double seed);
int punct_advance(int number, double seconds);
int punct_report(int number);
int punct_end(int number);
}

namespace {

constexpr double nodes = 20;
constexpr double unlimited = 1e6, a_moment = 1e-6;  // seconds

void require(bool holds) {
  if (!holds) std::abort();
}

// Whether brackets match, strings are closed, and control characters are escaped.
bool is_whole(std::string_view json) {
  std::string open;
  bool inside = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (static_cast<unsigned char>(c) < ' ') return false;
    if (inside) {
      if (c == '\\') ++i;
      inside = c != '"';
    } else if (c == '"') {
      inside = true;
    } else if (c == '{' || c == '[') {
      open.push_back(c == '{' ? '}' : ']');
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
    }
  }
  return !json.empty() && !inside && open.empty();
}

std::string answer(int length) {
  const std::string json(punct_answer(), static_cast<std::size_t>(length));
  require(is_whole(json));
  return json;
}

int ask(const std::string& texts) {
  std::memcpy(punct_room(static_cast<int>(texts.size())), texts.data(), texts.size());
  return static_cast<int>(texts.size());
}

bool refused(const std::string& json) { return json.starts_with("{\"error\""); }

// The result of a search but for its time; empty if the request was refused.
std::string search_result(const std::string& job, double slice) {
  if (refused(job)) return {};
  const int number = std::atoi(job.c_str());
  while (!punct_advance(number, slice)) answer(punct_report(number));
  std::string json = answer(punct_end(number));
  require(!refused(json));
  const std::size_t time = json.find("\"microseconds\":");
  require(time != json.npos);
  return json.erase(time, json.find(',', time) - time);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const name = std::getenv("PUNCT_NETWORK");
  require(name);
  std::ifstream file(name, std::ios::binary);
  const std::string network{std::istreambuf_iterator<char>(file), {}};
  require(!refused(answer(punct_network(ask(network)))));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string texts(reinterpret_cast<const char*>(data), size);
  require(refused(answer(punct_network(ask(texts)))));
  const std::string last = texts.substr(texts.find_last_of('\n') + 1);
  std::replace(texts.begin(), texts.end(), '\n', '\0');
  if (!texts.ends_with('\0')) texts.push_back('\0');
  answer(punct_board());
  const bool is_valid = !refused(answer(punct_view(ask(texts))));
  require(is_valid == !refused(answer(punct_game(ask(texts)))));
  require(is_valid == !refused(answer(punct_canonical(ask(texts)))));
  require(is_valid == !refused(answer(punct_insight(ask(texts)))));
  answer(punct_status(ask(texts)));
  for (const bool any_heading : {false, true}) answer(punct_explain(ask(last + '\0' + texts), any_heading));
  for (const bool threat : {false, true}) {
    const auto begin = [&] { return answer(punct_search(ask(texts), nodes, 0.0, 3, 0.0, threat)); };
    require(search_result(begin(), unlimited) == search_result(begin(), a_moment));
  }
  const std::string played =
      search_result(answer(punct_play(ask(texts), 1 + static_cast<int>(size % 4), 7.0)), unlimited);
  if (played.empty()) return 0;
  const std::size_t begin = played.find("\"move\":\"") + 8;
  const std::string move = played.substr(begin, played.find('"', begin) - begin);
  require(!refused(answer(punct_view(ask(texts + move)))));
  return 0;
}
