#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "net/http_client.hpp"

namespace pasb {
namespace {

struct UrlCase {
    std::string url;
    std::string host;
    std::string port;
    bool tls;
    std::string prefix;
};

TEST(ParseBaseUrl, CutsHostPortAndPrefix) {
    const std::vector<UrlCase> cases{
        {"http://localhost:8000/v1", "localhost", "8000", false, "/v1"},
        {"http://localhost:8000/v1/", "localhost", "8000", false, "/v1"},
        {"https://api.example", "api.example", "443", true, ""},
        {"https://api.example/", "api.example", "443", true, ""},
        {"http://api.example/a/b//", "api.example", "80", false, "/a/b"},
        {"http://[::1]:9000/v1", "::1", "9000", false, "/v1"},
        {"http://[2001:db8::5]/v1", "2001:db8::5", "80", false, "/v1"},
        {"http://10.0.0.1", "10.0.0.1", "80", false, ""},
    };
    for (const UrlCase& wanted : cases) {
        const BaseUrl base = parse_base_url(wanted.url);
        EXPECT_EQ(base.endpoint.host, wanted.host) << wanted.url;
        EXPECT_EQ(base.endpoint.port, wanted.port) << wanted.url;
        EXPECT_EQ(base.endpoint.tls, wanted.tls) << wanted.url;
        EXPECT_EQ(base.prefix, wanted.prefix) << wanted.url;
        EXPECT_EQ(base.endpoint.unix_path, "") << wanted.url;
    }
}

TEST(ParseBaseUrl, TakesAUnixSocketAsTheWholePath) {
    const BaseUrl base = parse_base_url("unix:///run/podman/podman.sock");
    EXPECT_EQ(base.endpoint.unix_path, "/run/podman/podman.sock");
    EXPECT_EQ(base.prefix, "");
    EXPECT_EQ(base.endpoint.text(), "/run/podman/podman.sock");
}

TEST(ParseBaseUrl, RefusesWhatNamesNoServer) {
    for (const char* url : {"", "localhost:8000", "ftp://host", "http://", "http:///v1", "https://user:secret@host/v1",
                            "unix://", "http://host:/v1", "http://host:80x/v1", "http://host:99999/"}) {
        EXPECT_THROW(parse_base_url(url), InputError) << url;
    }
}

TEST(ParseBaseUrl, DoesNotRepeatASecretInItsMessage) {
    try {
        parse_base_url("https://user:hunter2@host/v1");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace pasb
