#include "run/utc.hpp"

#include <ctime>

namespace pasb {

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::string text(20, '\0');
    std::strftime(text.data(), text.size() + 1, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace pasb
