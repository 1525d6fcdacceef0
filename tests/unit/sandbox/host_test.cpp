#include "sandbox/host.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

// An ordinary server: cgroup v2 under systemd, root with all capabilities, both runtimes.
HostFacts ordinary() {
    HostFacts host;
    host.root = host.cap_sys_resource = host.cgroup_v2 = host.systemd = true;
    host.runc = host.crun = host.podman = host.setpriv = true;
    host.nofile_hard = 1'048'576;
    host.nproc_hard = 96'365;
    return host;
}

// A small virtual machine: cgroup v1 with a cgroup2 mount beside it, no systemd, root without CAP_SYS_RESOURCE.
HostFacts small_machine() {
    HostFacts host = ordinary();
    host.cap_sys_resource = host.cgroup_v2 = host.systemd = false;
    host.cgroup_hybrid = true;
    host.nofile_hard = 4096;
    return host;
}

bool says(const EngineSetup& setup, const std::string& text) {
    return setup.containers_conf.find(text) != std::string::npos;
}

TEST(EngineSetup, LeavesAnOrdinaryHostToItsDefaults) {
    const EngineSetup setup = engine_setup(ordinary());
    EXPECT_EQ(setup.containers_conf,
              "[containers]\nhttp_proxy = false\nlog_driver = \"k8s-file\"\n"
              "[engine]\nevents_logger = \"file\"\nstop_timeout = 0\nexit_command_delay = 20\n");
    EXPECT_TRUE(setup.remarks.empty());
}

TEST(EngineSetup, SuitsASmallMachineAndSaysWhatItDid) {
    const EngineSetup setup = engine_setup(small_machine());
    EXPECT_TRUE(says(setup, "default_ulimits = [\"nofile=4096:4096\", \"nproc=4096:4096\"]\n"))
        << setup.containers_conf;
    EXPECT_TRUE(says(setup, "cgroup_manager = \"cgroupfs\"\n"));
    EXPECT_TRUE(says(setup, "runtime = \"runc\"\n"));
    EXPECT_EQ(setup.remarks.size(), 3U);
}

TEST(EngineSetup, KeepsUlimitsWithinTheHardLimits) {
    HostFacts host = small_machine();
    host.nofile_hard = 1024;
    host.nproc_hard = 500;
    EXPECT_TRUE(says(engine_setup(host), "[\"nofile=1024:1024\", \"nproc=500:500\"]"));
    host.cap_sys_resource = true;
    EXPECT_FALSE(says(engine_setup(host), "default_ulimits"));
}

TEST(EngineSetup, PutsContainerKeysBeforeTheEngineTable) {
    const std::string conf = engine_setup(small_machine()).containers_conf;
    EXPECT_LT(conf.find("default_ulimits"), conf.find("[engine]"));
    EXPECT_GT(conf.find("cgroup_manager"), conf.find("[engine]"));
    EXPECT_GT(conf.find("runtime"), conf.find("[engine]"));
}

TEST(EngineSetup, RootlessOnAnOrdinaryHostKeepsItsUlimitsAndSystemd) {
    HostFacts host = ordinary();
    host.root = host.cap_sys_resource = false;
    const EngineSetup setup = engine_setup(host);
    EXPECT_TRUE(says(setup, "default_ulimits"));
    EXPECT_FALSE(says(setup, "cgroup_manager"));
    EXPECT_FALSE(says(setup, "runtime ="));
}

TEST(EngineSetup, NamesNoRuntimeThatIsNotThere) {
    HostFacts host = small_machine();
    host.runc = false;
    EXPECT_FALSE(says(engine_setup(host), "runtime ="));
}

TEST(EngineSetup, WithoutSystemdCgroupsAreTheEngines) {
    HostFacts host = ordinary();
    host.systemd = false;
    const EngineSetup setup = engine_setup(host);
    EXPECT_TRUE(says(setup, "cgroup_manager = \"cgroupfs\""));
    EXPECT_FALSE(says(setup, "runtime =")) << "crun is right on cgroup v2";
}

}  // namespace
}  // namespace pasb
