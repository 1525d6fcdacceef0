#include "run/summary.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

nlohmann::json record(const std::string& run, bool valid, const std::string& destination, double seconds,
                      bool simulated = true) {
    return {{"run_id", run},
            {"framework", "hermes"},
            {"model", "m"},
            {"valid", valid},
            {"simulated", simulated},
            {"destination", destination},
            {"cut", {{"proven", valid}}},
            {"times", {{"total_s", seconds}}}};
}

TEST(Summary, OfSeveralAttemptsTheLastCounts) {
    Summary summary;
    summary.add(record("a", false, "session-only", 9));
    EXPECT_FALSE(summary.all_valid());
    summary.add(record("a", true, "skill", 4));
    summary.add(record("b", true, "session-only", 2));
    EXPECT_TRUE(summary.all_valid());
    const std::string table = summary.table();
    EXPECT_NE(table.find("hermes     m (simulated model)     2      2      1      1       0     0             1        "
                         "   2       3.0"),
              std::string::npos)
        << table;
}

TEST(Summary, ARealModelIsNotCalledSimulated) {
    Summary summary;
    summary.add(record("a", true, "user", 1, false));
    EXPECT_EQ(summary.table().find("simulated"), std::string::npos);
}

}  // namespace
}  // namespace pasb
