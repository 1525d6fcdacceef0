// The numbers that tests/oracles/stats.py computed with other implementations, and how near ours must be.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "stats/estimate.hpp"

namespace pasb {

inline constexpr double tolerance = 1e-9;

inline const nlohmann::json& oracles() {
    static const nlohmann::json value =
        nlohmann::json::parse(std::ifstream(PASB_SOURCE_DIR "/tests/oracles/stats.json"));
    return value;
}

inline void expect_interval(const MaybeInterval& ours, const nlohmann::json& theirs, double near = tolerance) {
    ASSERT_TRUE(ours.interval) << ours.reason;
    EXPECT_EQ(ours.reason, "");
    EXPECT_NEAR(ours.interval->low, theirs.at("low").get<double>(), near);
    EXPECT_NEAR(ours.interval->high, theirs.at("high").get<double>(), near);
}

inline void expect_no_interval(const MaybeInterval& ours, const std::string& reason) {
    EXPECT_FALSE(ours.interval);
    EXPECT_EQ(ours.reason, reason);
}

}  // namespace pasb
