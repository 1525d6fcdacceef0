#include <gtest/gtest.h>

#include "sandbox/engine.hpp"

namespace pasb {
namespace {

TEST(EngineQuirks, OfPodman) {
    EngineVersion version;
    version.podman = true;
    const EngineQuirks quirks = quirks_of(version);
    EXPECT_EQ(quirks.name, "podman");
    EXPECT_EQ(quirks.log_driver, "k8s-file");
    EXPECT_TRUE(quirks.conflict_is_500);
    EXPECT_TRUE(quirks.changes_overreports);
    EXPECT_FALSE(quirks.changes_underreports);
}

TEST(EngineQuirks, OfDocker) {
    const EngineQuirks quirks = quirks_of({});
    EXPECT_EQ(quirks.name, "docker");
    EXPECT_EQ(quirks.log_driver, "json-file");
    EXPECT_FALSE(quirks.conflict_is_500);
    EXPECT_FALSE(quirks.changes_overreports);
    EXPECT_TRUE(quirks.changes_underreports);
}

TEST(EngineQuirks, ThePrivateTmpIsExecutableOnBoth) {
    // Docker's tmpfs is noexec unless told otherwise.
    EngineVersion podman;
    podman.podman = true;
    EXPECT_EQ(quirks_of(podman).tmp_flags, quirks_of({}).tmp_flags);
    EXPECT_NE(quirks_of({}).tmp_flags.find(",exec,"), std::string::npos);
}

}  // namespace
}  // namespace pasb
