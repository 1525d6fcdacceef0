#include "stats/resampling.hpp"

#include <limits>
#include <stdexcept>

namespace pasb {
namespace {

std::uint32_t last_fair_draw(std::uint32_t bound) {
    if (bound == 0) {
        throw std::invalid_argument("IndexDraw: nothing to draw from");
    }
    const std::uint64_t draws = std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1;
    return static_cast<std::uint32_t>(draws - draws % bound - 1);
}

}  // namespace

IndexDraw::IndexDraw(std::uint32_t bound) : bound_(bound), last_(last_fair_draw(bound)) {}

std::uint32_t IndexDraw::operator()(std::mt19937_64& engine) const {
    auto drawn = static_cast<std::uint32_t>(engine() >> 32U);
    while (drawn > last_) {
        drawn = static_cast<std::uint32_t>(engine() >> 32U);
    }
    return drawn % bound_;
}

}  // namespace pasb
