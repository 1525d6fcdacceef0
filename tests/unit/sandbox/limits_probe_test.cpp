#include "sandbox/limits_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pasb {
namespace {

// Recorded from containers of the default profile, cut to the lines that matter and some beside them.
const std::string status =
    "== "
    "status\nName:\tpodman-init\nUmask:\t0022\nPid:\t1\nUid:\t10001\t10001\t10001\t10001\nGid:"
    "\t10001\t10001\t10001\t10001\n"
    "CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\n"
    "NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n";
const std::string limits =
    "== limits\n"
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max cpu time              unlimited            unlimited            seconds   \n"
    "Max file size             1073741824           1073741824           bytes     \n"
    "Max core file size        0                    0                    bytes     \n"
    "Max processes             4096                 4096                 processes \n"
    "Max open files            4096                 4096                 files     \n";
const std::string mounts =
    "== mounts\n"
    "overlay / overlay rw,relatime,lowerdir=/l/A,upperdir=/u/diff,workdir=/u/work,uuid=on 0 0\n"
    "tmpfs /tmp tmpfs rw,nosuid,nodev,relatime,size=262144k 0 0\n"
    "tmpfs /dev tmpfs rw,nosuid,noexec,size=65536k,mode=755 0 0\n";
const std::string v1_cgroup =
    "== memory\n3221225472\n== swap\n3221225472\n== pids\n512\n== cpu\n== quota\n200000\n== period\n100000\n";
const std::string v2_cgroup =
    "== memory\n3221225472\n== swap\n0\n== pids\n512\n== cpu\n200000 100000\n== quota\n== period\n";
const std::string net = "== net\nlo\n== userns\nrefused\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

// Names of the limits that are not in force; what no engine offers here (home_bytes) is left out.
std::vector<std::string> loose(const LimitsInForce& found) {
    std::vector<std::string> names;
    for (const auto& [name, limit] : found.limits.items()) {
        if (!limit.at("ok").get<bool>() && name != "home_bytes") {
            names.push_back(name);
        }
    }
    return names;
}

using Names = std::vector<std::string>;

bool warns(const LimitsInForce& found, const std::string& line) {
    return std::find(found.warnings.begin(), found.warnings.end(), line) != found.warnings.end();
}

TEST(JudgeLimits, AllInForceOnCgroupV1) {
    const LimitsInForce found = judge_limits({}, status + limits + mounts + v1_cgroup + net);
    EXPECT_EQ(loose(found), Names{});
    EXPECT_EQ(found.limits.at("pids"), (nlohmann::json{{"asked", 512.0}, {"in_force", 512.0}, {"ok", true}}));
    EXPECT_EQ(found.limits.at("cpus").at("in_force"), 2.0);
    EXPECT_EQ(found.limits.at("tmp_bytes").at("in_force"), 268435456.0);
}

TEST(JudgeLimits, AllInForceOnCgroupV2) {
    const LimitsInForce found = judge_limits({}, status + limits + mounts + v2_cgroup + net);
    EXPECT_EQ(loose(found), Names{});
    EXPECT_EQ(found.limits.at("cpus").at("in_force"), 2.0);
    EXPECT_EQ(found.limits.at("swap_bytes").at("in_force"), 0.0);
}

TEST(JudgeLimits, WhatNoEngineCanLimitIsAWarningOfItsOwn) {
    const LimitsInForce found = judge_limits({}, status + limits + mounts + v1_cgroup + net);
    ASSERT_EQ(found.warnings.size(), 1U);
    EXPECT_TRUE(found.warnings[0].starts_with("limit-not-available: home_bytes: ")) << found.warnings[0];
}

TEST(JudgeLimits, UserNamespacesOfTheAgentsOwnAreNamed) {
    const std::string whole = status + limits + mounts + v1_cgroup + net;
    const LimitsInForce found = judge_limits({}, replaced(whole, "refused", "allowed"));
    EXPECT_EQ(loose(found), Names{"user_namespaces"});
    EXPECT_EQ(found.warnings.size(), 2U);
    EXPECT_FALSE(judge_limits({}, whole).limits.contains("user_namespaces"));
}

TEST(JudgeLimits, UnlimitedOnCgroupV1) {
    const std::string cgroup =
        "== memory\n9223372036854771712\n== swap\n9223372036854771712\n== pids\nmax\n== cpu\n== quota\n-1\n== "
        "period\n100000\n";
    const LimitsInForce found = judge_limits({}, status + limits + mounts + cgroup + net);
    EXPECT_EQ(loose(found), (Names{"cpus", "memory_bytes", "pids", "swap_bytes"}));
    EXPECT_TRUE(warns(found, "limit-not-in-force: pids: asked 512, found none"));
    EXPECT_TRUE(warns(found, "limit-not-in-force: memory_bytes: asked 3221225472, found 9.22337203685477e+18"));
}

TEST(JudgeLimits, UnlimitedOnCgroupV2) {
    const std::string cgroup = "== memory\nmax\n== swap\nmax\n== pids\nmax\n== cpu\nmax 100000\n== quota\n== period\n";
    const LimitsInForce found = judge_limits({}, status + limits + mounts + cgroup + net);
    EXPECT_EQ(loose(found), (Names{"cpus", "memory_bytes", "pids", "swap_bytes"}));
    EXPECT_TRUE(found.limits.at("memory_bytes").at("in_force").is_null());
}

TEST(JudgeLimits, ATighterLimitIsInForceAndALooserIsNot) {
    const std::string whole = status + limits + mounts + v1_cgroup + net;
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "== pids\n512", "== pids\n64"))), Names{});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "== pids\n512", "== pids\n1024"))), Names{"pids"});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "== quota\n200000", "== quota\n400000"))), Names{"cpus"});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "size=262144k", "size=12344120k"))), Names{"tmp_bytes"});
    EXPECT_EQ(
        loose(judge_limits({}, replaced(whole, "1073741824           1073741824", "unlimited            unlimited "))),
        Names{"file_bytes"});
}

TEST(JudgeLimits, NothingReadIsNothingInForce) {
    const LimitsInForce found = judge_limits({}, "");
    EXPECT_EQ(loose(found).size() + 1, found.limits.size());
    EXPECT_EQ(found.warnings.size(), found.limits.size());
    EXPECT_EQ(loose(judge_limits({}, status + limits + mounts + net)),
              (Names{"cpus", "memory_bytes", "pids", "swap_bytes"}));
    EXPECT_EQ(loose(judge_limits({}, "sh: not found\n" + status + limits + v1_cgroup + net)), Names{"tmp_bytes"});
}

TEST(JudgeLimits, RightsThatWereNotTakenAway) {
    const std::string whole = status + limits + mounts + v1_cgroup + net;
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "CapEff:\t0000000000000000", "CapEff:\t00000000a80425fb"))),
              Names{"capabilities"});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "NoNewPrivs:\t1", "NoNewPrivs:\t0"))), Names{"no_new_privileges"});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "Seccomp:\t2", "Seccomp:\t0"))), Names{"seccomp"});
    EXPECT_EQ(loose(judge_limits({}, replaced(whole, "Uid:\t10001", "Uid:\t0"))), Names{"user"});
    const LimitsInForce bridge = judge_limits({}, replaced(whole, "== net\nlo", "== net\neth0\nlo"));
    EXPECT_EQ(loose(bridge), Names{"network"});
    EXPECT_TRUE(warns(bridge, "limit-not-in-force: network: asked lo, found eth0 lo"));
}

}  // namespace
}  // namespace pasb
