#include "wire/engine_json.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"

namespace pasb {
namespace {

// Calls a parser and gives the kind of error it throws, so that a table of nonsense can be checked in one line each.
template <typename Parser>
bool is_broken(const Parser& parser, std::string_view body) {
    try {
        parser(body);
        return false;
    } catch (const EngineError& error) {
        return error.kind() == EngineError::Kind::broken;
    }
}

TEST(EngineErrorText, ReadsBothEngines) {
    EXPECT_EQ(engine_error_text(R"({"message":"No such container: x"})"), "No such container: x");
    EXPECT_EQ(
        engine_error_text(R"({"cause":"no such container","message":"no \"x\": no such container","response":404})"),
        "no \"x\": no such container");
    EXPECT_EQ(engine_error_text(R"({"cause":"that name is already in use","message":"creating","response":500})"),
              "creating (that name is already in use)");
}

TEST(EngineErrorText, ShowsTheBodyWhenThereIsNoMessage) {
    EXPECT_EQ(engine_error_text("404 page not found\n"), "404 page not found\n");
    EXPECT_EQ(engine_error_text(R"({"message":7})"), R"({"message":7})");
    EXPECT_EQ(engine_error_text("[1]"), "[1]");
    EXPECT_EQ(engine_error_text(""), "");
    EXPECT_EQ(engine_error_text(std::string(9000, 'x')).size(), 500U);
}

TEST(ParseContainer, ReadsItsState) {
    const ContainerState state = parse_container(R"({"Id":"d310","Name":"/pasb-1","Image":"sha256:c935",
        "State":{"Status":"exited","Running":false,"OOMKilled":true,"Pid":0,"ExitCode":137},
        "Config":{"Labels":{"pasb.run":"r1"}}})");
    EXPECT_EQ(state.id, "d310");
    EXPECT_EQ(state.name, "pasb-1");
    EXPECT_EQ(state.image_id, "sha256:c935");
    EXPECT_EQ(state.status, "exited");
    EXPECT_TRUE(state.oom_killed);
    EXPECT_EQ(state.exit_code, 137);
    EXPECT_EQ(state.labels.at("pasb.run"), "r1");
}

TEST(ParseContainer, ToleratesMissingKeysButNotAMissingId) {
    EXPECT_EQ(parse_container(R"({"Id":"a","State":null,"Config":{"Labels":null}})").status, "");
    EXPECT_TRUE(is_broken(parse_container, "{}"));
    EXPECT_TRUE(is_broken(parse_container, R"({"Id":7})"));
    EXPECT_TRUE(is_broken(parse_container, R"({"Id":"a","State":"running"})"));
    EXPECT_TRUE(is_broken(parse_container, R"({"Id":"a","State":{"Pid":1.5}})"));
    EXPECT_TRUE(is_broken(parse_container, R"({"Id":"a","Config":{"Labels":{"k":1}}})"));
    EXPECT_TRUE(is_broken(parse_container, "<html>"));
    EXPECT_TRUE(is_broken(parse_container, ""));
    EXPECT_TRUE(is_broken(parse_container, "null"));
}

TEST(ParseContainerList, ReadsNamesAndLabels) {
    const auto all =
        parse_container_list(R"([{"Id":"a","Names":["/h5","/alias"],"Image":"localhost/x:dev","ImageID":"sha256:1",
        "Labels":{"k":"v"},"State":"running","Name":""},{"Id":"b","Names":null,"Labels":null}])");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].names, (std::vector<std::string>{"h5", "alias"}));
    EXPECT_EQ(all[0].image_id, "sha256:1");
    EXPECT_EQ(all[0].labels.at("k"), "v");
    EXPECT_TRUE(all[1].names.empty());
    EXPECT_TRUE(parse_container_list("[]").empty());
    EXPECT_TRUE(is_broken(parse_container_list, R"({"message":"x"})"));
    EXPECT_TRUE(is_broken(parse_container_list, "[7]"));
}

TEST(ParseImage, ReadsLayersAndVolumes) {
    const ImageInfo image = parse_image(R"({"Id":"sha256:c9","RepoTags":["localhost/pasb/base:dev"],"Size":169941732,
        "Config":{"User":"10001:10001","Volumes":{"/data":{}},"Labels":{"pasb.key":"1"}},
        "RootFS":{"Type":"layers","Layers":["sha256:1","sha256:2"]}})");
    EXPECT_EQ(image.id, "sha256:c9");
    EXPECT_EQ(image.layers, (std::vector<std::string>{"sha256:1", "sha256:2"}));
    EXPECT_EQ(image.volumes, std::vector<std::string>{"/data"});
    EXPECT_EQ(image.labels.at("pasb.key"), "1");
    EXPECT_EQ(image.user, "10001:10001");
    EXPECT_EQ(image.size, 169941732);
    EXPECT_EQ(image.tags, std::vector<std::string>{"localhost/pasb/base:dev"});
    EXPECT_TRUE(parse_image(R"({"Id":"sha256:c9","Config":{"Volumes":null}})").volumes.empty());
    EXPECT_TRUE(is_broken(parse_image, R"({"Id":"sha256:c9","RootFS":{"Layers":[1]}})"));
}

TEST(ParseImageList, ReadsTagsAndLabels) {
    const auto all = parse_image_list(
        R"([{"Id":"sha256:1","RepoTags":null,"Labels":{"a":"b"}},{"Id":"sha256:2","RepoTags":["t:1"]}])");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].labels.at("a"), "b");
    EXPECT_EQ(all[1].tags, std::vector<std::string>{"t:1"});
}

TEST(ParseChanges, ReadsKindsAndNull) {
    EXPECT_TRUE(parse_changes("null").empty());
    EXPECT_TRUE(parse_changes("[]").empty());
    const auto all =
        parse_changes(R"([{"Path":"/etc","Kind":0},{"Path":"/home/agent/x","Kind":1},{"Path":"/gone","Kind":2}])");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].change, ChangeType::modified);
    EXPECT_EQ(all[1].change, ChangeType::added);
    EXPECT_EQ(all[1].path, "/home/agent/x");
    EXPECT_EQ(all[2].change, ChangeType::deleted);
    EXPECT_TRUE(is_broken(parse_changes, R"([{"Path":"/x","Kind":3}])"));
    EXPECT_TRUE(is_broken(parse_changes, R"([{"Kind":1}])"));
    EXPECT_TRUE(is_broken(parse_changes, R"([{"Path":"/x","Kind":"added"}])"));
    EXPECT_TRUE(is_broken(parse_changes, "\"x\""));
}

TEST(ParseVersion, TellsTheEnginesApart) {
    const EngineVersion podman =
        parse_version(R"({"Components":[{"Name":"Podman Engine","Version":"4.3.1"},{"Name":"Conmon"}],
        "Version":"4.3.1","ApiVersion":"1.41","MinAPIVersion":"1.24"})");
    EXPECT_TRUE(podman.podman);
    EXPECT_EQ(podman.version, "4.3.1");
    EXPECT_EQ(podman.api_version, "1.41");
    EXPECT_EQ(podman.min_api_version, "1.24");
    EXPECT_FALSE(parse_version(R"({"Components":[{"Name":"Engine"}],"Version":"20.10.24"})").podman);
    EXPECT_FALSE(parse_version("{}").podman);
    EXPECT_TRUE(is_broken(parse_version, R"({"Components":["Podman Engine"]})"));
}

TEST(ParseInfo, ReadsPodman) {
    const EngineInfo info = parse_info(R"({"Driver":"overlay","MemoryLimit":true,"CpuCfsQuota":true,"PidsLimit":true,
        "CgroupDriver":"cgroupfs","NCPU":2,"MemTotal":25276510208,"Runtimes":{"crun":{"path":"/usr/bin/crun"},"runc":{}},
        "DefaultRuntime":"runc","SecurityOptions":["name=seccomp,profile=default"],"CgroupVersion":"1","Rootless":false})");
    EXPECT_EQ(info.cgroup_version, "1");
    EXPECT_EQ(info.cgroup_driver, "cgroupfs");
    EXPECT_EQ(info.storage_driver, "overlay");
    EXPECT_EQ(info.default_runtime, "runc");
    EXPECT_EQ(info.runtimes, (std::vector<std::string>{"crun", "runc"}));
    EXPECT_TRUE(info.seccomp);
    EXPECT_FALSE(info.rootless);
    EXPECT_TRUE(info.memory_limit && info.pids_limit && info.cpu_quota);
    EXPECT_EQ(info.cpus, 2);
    EXPECT_EQ(info.memory_bytes, 25276510208);
}

TEST(ParseInfo, ReadsARootlessDocker) {
    const EngineInfo info =
        parse_info(R"({"CPUCfsQuota":true,"CgroupVersion":"2","SecurityOptions":["name=rootless","name=seccompx"]})");
    EXPECT_TRUE(info.rootless);
    EXPECT_FALSE(info.seccomp);
    EXPECT_TRUE(info.cpu_quota);
    EXPECT_FALSE(info.memory_limit);
    EXPECT_EQ(info.cgroup_version, "2");
}

TEST(ParseExec, GivesTheExitCodeOnlyAtTheEnd) {
    EXPECT_EQ(parse_exec(R"({"ExitCode":3,"Running":false,"Pid":0})").exit_code, 3);
    EXPECT_EQ(parse_exec(R"({"ExitCode":0,"Running":true,"Pid":7})").exit_code, std::nullopt);
    EXPECT_EQ(parse_exec(R"({"ExitCode":null,"Running":false})").exit_code, std::nullopt);
    EXPECT_TRUE(is_broken(parse_exec, R"({"ExitCode":"3"})"));
}

TEST(ParseSmallAnswers, ReadIdsAndCodes) {
    EXPECT_EQ(parse_created_id(R"({"Id":"8a05","Warnings":[]})"), "8a05");
    EXPECT_TRUE(is_broken(parse_created_id, R"({"Id":""})"));
    EXPECT_EQ(parse_wait_status(R"({"StatusCode":137,"Error":null})"), 137);
    EXPECT_TRUE(is_broken(parse_wait_status, "{}"));
}

}  // namespace
}  // namespace pasb
