// The gateway over real sockets, with a scripted upstream peer that answers, refuses, breaks off and lies.
#include "gateway/gateway.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "gateway/http_upstream.hpp"
#include "gateway/sim_model.hpp"
#include "integration/scripted_peer.hpp"
#include "model/errors.hpp"
#include "net/http_client.hpp"
#include "wire/chat_stream.hpp"
#include "wire/sse.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::answers;
using testing::completion;
using testing::hangs_up;
using testing::json_type;
using testing::Peer;

constexpr const char* key = "sk-very-secret-0123456789";
const std::map<std::string, std::string> sse_type{{"content-type", "text/event-stream"}};

HttpHandler streams(const std::string& bytes) {
    return [=](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, sse_type);
        writer.write(bytes);
        writer.end();
    };
}

// Begins an answer and breaks the connection off.
HttpHandler breaks_off(const std::string& bytes) {
    return [=](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, sse_type);
        writer.write(bytes);
    };
}

HttpUpstream::Settings settings_for(const Peer& peer) {
    HttpUpstream::Settings settings;
    settings.base_url = peer.base_url();
    settings.model = "real";
    settings.key = key;
    settings.timeout = 30s;
    settings.retry = {3, 1ms, 2ms, 1'000ms};
    return settings;
}

class GatewayTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "pasb-gateway-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        socket_ = (folder_ / "model.sock").string();
    }
    void TearDown() override {
        gateway_.reset();
        std::filesystem::remove_all(folder_);
    }

    void open(std::shared_ptr<Upstream> upstream, Gateway::Settings settings = {}) {
        gateway_ = std::make_unique<Gateway>(socket_, Chat::first, std::move(upstream), std::move(settings));
    }
    void open(const Peer& peer) { open(std::make_shared<HttpUpstream>(settings_for(peer))); }

    [[nodiscard]] HttpResponse call(const std::string& method, const std::string& target,
                                    const std::string& body = {}) const {
        return http_request({socket_, "", "", false}, {method, target, {{"Content-Type", "application/json"}}, body},
                            Deadline::after(60s));
    }
    [[nodiscard]] HttpResponse ask(bool stream, const json& more = json::object()) const {
        json body = {{"model", "pasb-model"},
                     {"stream", stream},
                     {"temperature", 0.7},
                     {"messages", json::array({{{"role", "user"}, {"content", "hello"}}})}};
        body.update(more);
        return call("POST", "/v1/chat/completions", body.dump());
    }
    // The last exchange once the gateway has settled; checks that the key is in none of what it kept.
    [[nodiscard]] Exchange last_exchange() const {
        gateway_->stop();
        const auto all = gateway_->exchanges();
        for (const auto& exchange : all) {
            const std::string kept =
                exchange.error + exchange.request.dump() + exchange.response.dump() + exchange.sent.dump();
            EXPECT_EQ(kept.find(key), std::string::npos) << kept;
        }
        return all.empty() ? Exchange{} : all.back();
    }

    std::filesystem::path folder_;
    std::string socket_;
    std::unique_ptr<Gateway> gateway_;
};

std::string text_of(const std::string& sse) {
    SseParser parser;
    ChatAssembler assembler;
    for (const auto& event : parser.feed(sse)) {
        if (event.data != "[DONE]") {
            assembler.add(json::parse(event.data));
        }
    }
    return assembler.completion()["choices"][0]["message"]["content"];
}

TEST_F(GatewayTest, PassesAnAnswerAndRecordsIt) {
    const Peer peer({answers(completion("hi"))});
    open(peer);
    gateway_->begin_turn(2);
    const auto response = ask(false);
    gateway_->end_turn();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(json::parse(response.body), completion("hi"));
    const Exchange exchange = last_exchange();
    EXPECT_EQ(exchange.turn, 2);
    EXPECT_TRUE(exchange.in_turn);
    EXPECT_EQ(exchange.status, 200);
    EXPECT_EQ(exchange.attempts, 1);
    EXPECT_EQ(exchange.error, "");
    EXPECT_EQ(exchange.request["model"], "pasb-model");
    EXPECT_EQ(exchange.response, completion("hi"));
    EXPECT_EQ(exchange.sent, json({{"model", "real"}, {"temperature", 0}}));
}

TEST_F(GatewayTest, ChangesModelAndTemperatureAndNothingElse) {
    const Peer peer({answers(completion("hi"))});
    open(peer);
    const std::string tools =
        R"("tools" : [ {"type":"function", "function":{"name":"f","parameters":{"z":1.50,"a":"\u00e9"}}} ],"tool_choice": "auto")";
    EXPECT_EQ(call("POST", "/v1/chat/completions", R"({"messages":[], "model":"pasb-model",)" + tools + "}").status,
              200);
    const auto sent = peer.requests().at(0);
    EXPECT_NE(sent.body.find(tools), std::string::npos) << sent.body;
    EXPECT_EQ(json::parse(sent.body)["model"], "real");
    EXPECT_EQ(json::parse(sent.body)["temperature"], 0);
    EXPECT_EQ(sent.headers.at("authorization"), std::string("Bearer ") + key);
    EXPECT_EQ(sent.target, "/v1/chat/completions");
    EXPECT_EQ(last_exchange().tools_sha256.size(), 64U);
}

TEST_F(GatewayTest, LeavesTheTemperatureOutWhereTheUpstreamRefusesIt) {
    const Peer peer({answers(completion("hi"))});
    auto settings = settings_for(peer);
    settings.send_temperature = false;
    open(std::make_shared<HttpUpstream>(settings));
    EXPECT_EQ(ask(false).status, 200);
    EXPECT_FALSE(json::parse(peer.requests().at(0).body).contains("temperature"));
    EXPECT_EQ(last_exchange().sent["temperature"], "omitted");
}

TEST_F(GatewayTest, HandsAStreamOnAsItArrives) {
    std::mutex mutex;
    std::condition_variable changed;
    bool first_arrived = false;
    const json whole = completion(std::string(200, 'x'));
    const auto chunks = completion_chunks(whole, true);
    const Peer peer({[&](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, sse_type);
        writer.write(sse_text({"", chunks.front().dump()}));
        {
            // Nothing more before the agent has seen the first piece.
            std::unique_lock lock(mutex);
            ASSERT_TRUE(changed.wait_for(lock, 60s, [&] { return first_arrived; }));
        }
        for (std::size_t i = 1; i < chunks.size(); ++i) {
            writer.write(sse_text({"", chunks[i].dump()}));
        }
        writer.write("data: [DONE]\n\n");
        writer.end();
    }});
    open(peer);
    std::string got;
    http_stream(
        {socket_, "", "", false}, {"POST", "/v1/chat/completions", {}, R"({"messages":[],"stream":true})"},
        Deadline::after(60s),
        [](const HttpResponse& head) { EXPECT_EQ(head.headers.at("content-type"), "text/event-stream"); },
        [&](std::string_view piece) {
            got += piece;
            const std::scoped_lock lock(mutex);
            first_arrived = true;
            changed.notify_all();
            return true;
        });
    EXPECT_EQ(text_of(got), std::string(200, 'x'));
    const Exchange exchange = last_exchange();
    EXPECT_TRUE(exchange.streamed);
    EXPECT_EQ(exchange.response, whole);
}

TEST_F(GatewayTest, TriesAgainAfterPassingTroubleUntilItWorks) {
    const Peer peer({answers({{"error", {{"message", "slow down"}}}}, 429, {{"retry-after", "0"}}),
                     answers("oops", 500), hangs_up, answers(completion("at last"))});
    open(peer);
    const auto response = ask(false);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(peer.requests().size(), 4U);
    const Exchange exchange = last_exchange();
    EXPECT_EQ(exchange.attempts, 4);
    EXPECT_EQ(exchange.error, "");
}

TEST_F(GatewayTest, AStreamThatFailsBeforeItsFirstEventIsTriedAgain) {
    const Peer peer({breaks_off(": waiting\n\n"), streams("data: {\"error\":{\"message\":\"busy\",\"code\":429}}\n\n"),
                     streams(""), streams(completion_sse(completion("fine"), true))});
    open(peer);
    const auto response = ask(true);
    EXPECT_EQ(text_of(response.body), "fine");
    EXPECT_EQ(last_exchange().attempts, 4);
}

// As one that agents take for final, whatever the upstream's status was.
TEST_F(GatewayTest, TheLastErrorReachesTheAgentAsAnError) {
    const Peer peer(
        {answers({{"error", {{"message", "slow down, friend"}, {"type", "rate"}, {"code", "busy"}}}}, 429)});
    open(peer);
    for (const bool stream : {false, true}) {
        const auto response = ask(stream);
        EXPECT_EQ(response.status, 400);
        EXPECT_EQ(json::parse(response.body)["error"],
                  json({{"message", "slow down, friend"}, {"type", "rate"}, {"param", nullptr}, {"code", "busy"}}));
    }
    const Exchange exchange = last_exchange();
    EXPECT_EQ(exchange.attempts, 4);
    EXPECT_NE(exchange.error.find("429"), std::string::npos);
    EXPECT_TRUE(exchange.response.is_null());
}

TEST_F(GatewayTest, WhatCannotGetBetterIsNotTriedAgain) {
    const Peer peer({answers({{"error", {{"message", "the context is too long"}}}}, 400)});
    open(peer);
    EXPECT_EQ(ask(false).status, 400);
    EXPECT_EQ(peer.requests().size(), 1U);
}

TEST_F(GatewayTest, AnErrorWithStatus200IsAnError) {
    const Peer peer({answers(json::parse(R"({"error": {"message": "rate limited", "code": 429}})"))});
    open(peer);
    EXPECT_EQ(ask(false).status, 400);
    EXPECT_EQ(ask(true).status, 400);
    EXPECT_EQ(last_exchange().attempts, 4);
}

TEST_F(GatewayTest, NoCompletionIsNoAnswer) {
    for (const auto& step : {answers(json::object()), answers(json::array()), answers({{"choices", json::array()}}),
                             HttpHandler([](const HttpRequest&, ResponseWriter& writer) {
                                 writer.send({200, json_type, "<html>"});
                             }),
                             HttpHandler([](const HttpRequest&, ResponseWriter& writer) {
                                 writer.send({204, {}, ""});
                             })}) {
        const Peer peer({step});
        open(peer);
        EXPECT_EQ(ask(false).status, 400);
        EXPECT_NE(last_exchange().error, "");
        gateway_.reset();
    }
}

TEST_F(GatewayTest, ATruncatedStreamIsBrokenOff) {
    const std::string whole = completion_sse(completion(std::string(300, 'y')), true);
    const std::string half = whole.substr(0, whole.size() / 2);
    const std::string error_inside =
        half.substr(0, half.rfind("\n\n") + 2) + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n";
    for (const auto& step : {breaks_off(half), streams(half.substr(0, half.rfind("\n\n") + 2)), streams(half),
                             streams(error_inside), streams(half + "\n\ndata: nonsense\n\n")}) {
        const Peer peer({step});
        open(peer);
        EXPECT_THROW((void)ask(true), NetError);
        const Exchange exchange = last_exchange();
        EXPECT_NE(exchange.error, "");
        EXPECT_TRUE(exchange.response.is_null());
        EXPECT_EQ(exchange.status, 200);
        EXPECT_EQ(exchange.attempts, 1);
        gateway_.reset();
    }
}

TEST_F(GatewayTest, AWholeStreamWithoutDoneIsAnAnswer) {
    std::string sse = completion_sse(completion("all of it"), true);
    sse.erase(sse.rfind("data: [DONE]"));
    const Peer peer({streams(sse)});
    open(peer);
    EXPECT_EQ(text_of(ask(true).body), "all of it");
    EXPECT_EQ(last_exchange().error, "");
}

TEST_F(GatewayTest, AnAnswerInOnePieceBecomesAStreamWhereOneWasAskedFor) {
    const Peer peer({answers(completion("in one piece"))});
    open(peer);
    EXPECT_EQ(text_of(ask(true).body), "in one piece");
    EXPECT_EQ(last_exchange().response, completion("in one piece"));
}

TEST_F(GatewayTest, ASilentUpstreamTimesOut) {
    const Peer peer({[](const HttpRequest&, ResponseWriter& writer) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait(lock, writer.stop(), [] { return false; });
    }});
    auto settings = settings_for(peer);
    settings.timeout = 20ms;
    open(std::make_shared<HttpUpstream>(settings));
    EXPECT_EQ(ask(false).status, 400);
    EXPECT_EQ(last_exchange().attempts, 4);
}

TEST_F(GatewayTest, AnUpstreamThatIsNotThereIsAnError) {
    HttpUpstream::Settings settings;
    settings.base_url = "http://127.0.0.1:1/v1";
    settings.retry = {1, 1ms, 1ms, 1ms};
    open(std::make_shared<HttpUpstream>(settings));
    const auto response = ask(false);
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body.find("127.0.0.1"), std::string::npos) << "the agent was told the upstream's address";
    EXPECT_NE(last_exchange().error.find("127.0.0.1"), std::string::npos);
}

TEST_F(GatewayTest, TheKeyIsNeverPassedOn) {
    const std::string spill = std::string("your key ") + key + " is bad";
    json chatty = completion(spill);
    const std::vector<HttpHandler> steps{answers({{"error", {{"message", spill}}}}, 401),
                                         answers({{"error", {{"message", spill}}}}, 400),
                                         answers(spill, 404),
                                         answers({{"error", spill}}),
                                         answers(chatty),
                                         streams(completion_sse(chatty, true)),
                                         streams("data: {\"error\":\"" + spill + "\"}\n\n")};
    for (const auto& step : steps) {
        for (const bool stream : {false, true}) {
            const Peer peer({step});
            open(peer);
            EXPECT_EQ(ask(stream).body.find(key), std::string::npos);
            (void)last_exchange();
            gateway_.reset();
        }
    }
}

// Endpoints without keys are given a word for one, which stands in answers by chance.
TEST_F(GatewayTest, AShortKeyLeavesAnswersAsTheyAre) {
    json whole = completion("none of 12 k, EMPTY");
    whole["usage"] = {{"prompt_tokens", 12}, {"completion_tokens", 34}};
    for (const std::string dummy : {"k", "none", "EMPTY", "12", "content", "lm-studio"}) {
        for (const bool stream : {false, true}) {
            for (const bool in_pieces : {false, stream}) {
                const Peer peer({in_pieces ? streams(completion_sse(whole, true)) : answers(whole)});
                HttpUpstream::Settings settings = settings_for(peer);
                settings.key = dummy;
                open(std::make_shared<HttpUpstream>(settings));
                EXPECT_EQ(ask(stream).body.find("[key]"), std::string::npos) << dummy;
                const json kept = last_exchange().response;
                EXPECT_EQ(kept.at("choices")[0].at("message").at("content"), "none of 12 k, EMPTY") << dummy;
                EXPECT_EQ(kept.at("usage").at("prompt_tokens"), 12) << dummy;
                gateway_.reset();
            }
        }
        const Peer peer({answers({{"error", {{"message", "your key " + dummy + " is bad"}}}}, 400)});
        HttpUpstream::Settings settings = settings_for(peer);
        settings.key = dummy;
        open(std::make_shared<HttpUpstream>(settings));
        EXPECT_NE(ask(false).body.find("[key]"), std::string::npos) << dummy << ": errors never hold a key";
        gateway_.reset();
    }
}

TEST_F(GatewayTest, RefusesWaysOutOfTheSandbox) {
    const Peer peer({answers(completion("never"))});
    open(peer);
    for (
        const json& more :
        {json({{"tools", json::array({{{"type", "web_search"}}})}}), json({{"plugins", json::array({1})}}),
         json::parse(
             R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/x"}}]}]})")}) {
        const auto response = ask(false, more);
        EXPECT_EQ(response.status, 400);
        EXPECT_EQ(json::parse(response.body)["error"]["code"], "refused");
    }
    for (const std::string& body :
         {std::string("{"), std::string(""), std::string(R"({"model":"a","model":"b","messages":[]})"),
          R"({"messages":)" + std::string(5'000, '[') + std::string(5'000, ']') + "}"}) {
        EXPECT_EQ(call("POST", "/v1/chat/completions", body).status, 400) << body.substr(0, 40);
    }
    EXPECT_TRUE(peer.requests().empty());
    (void)last_exchange();
    for (const auto& exchange : gateway_->exchanges()) {
        EXPECT_NE(exchange.error, "");
        EXPECT_EQ(exchange.status, 400);
    }
    EXPECT_EQ(gateway_->exchanges().size(), 7U);
}

TEST_F(GatewayTest, ServesNothingButModelsAndCompletions) {
    open(std::make_shared<SimModel>(SimKind::flatterer));
    const auto models = call("GET", "/v1/models?x=1");
    EXPECT_EQ(models.status, 200);
    EXPECT_EQ(json::parse(models.body)["data"][0]["id"], "pasb-model");
    for (const char* target : {"/", "/v1/props", "/api/tags", "/v1/chat/completions"}) {
        const auto response = call("GET", target);
        EXPECT_EQ(response.status, 404);
        EXPECT_TRUE(json::parse(response.body).contains("error"));
    }
    gateway_->stop();
    EXPECT_TRUE(gateway_->exchanges().empty());
}

TEST_F(GatewayTest, StopsAtTheRunsLimitOfRequests) {
    Gateway::Settings settings;
    settings.budget = std::make_shared<RequestBudget>(2);
    open(std::make_shared<SimModel>(SimKind::flatterer), settings);
    EXPECT_EQ(ask(false).status, 200);
    EXPECT_EQ(ask(true).status, 200);
    EXPECT_FALSE(settings.budget->exceeded());
    EXPECT_EQ(ask(false).status, 429);
    EXPECT_TRUE(settings.budget->exceeded());
    EXPECT_NE(last_exchange().error, "");
}

TEST_F(GatewayTest, TellsWhatIsInFlightAndBreaksItOffWhenStopped) {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool arrived = false;
    const Peer peer({[&](const HttpRequest&, ResponseWriter& writer) {
        std::unique_lock lock(mutex);
        arrived = true;
        changed.notify_all();
        changed.wait(lock, writer.stop(), [] { return false; });
    }});
    open(peer);
    const auto before = gateway_->last_activity();
    std::jthread agent([&] {
        try {
            EXPECT_EQ(ask(false).status, 400);
        } catch (const NetError&) {
            // Broken off before the error could be sent.
        }
    });
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, 60s, [&] { return arrived; }));
    }
    EXPECT_EQ(gateway_->in_flight(), 1);
    EXPECT_GE(gateway_->last_activity(), before);
    EXPECT_EQ(gateway_->exchanges().at(0).error, "still in flight");
    gateway_->stop();
    agent.join();
    EXPECT_EQ(gateway_->in_flight(), 0);
    EXPECT_NE(gateway_->exchanges().at(0).error, "still in flight");
}

TEST_F(GatewayTest, AnAgentThatHangsUpEndsItsRequest) {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool arrived = false;
    const Peer peer({[&](const HttpRequest&, ResponseWriter& writer) {
        std::unique_lock lock(mutex);
        arrived = true;
        changed.notify_all();
        changed.wait(lock, writer.stop(), [] { return false; });
    }});
    open(peer);
    std::stop_source agent;
    std::jthread asking([&] {
        EXPECT_THROW(
            (void)http_request({socket_, "", "", false}, {"POST", "/v1/chat/completions", {}, R"({"messages":[]})"},
                               Deadline::after(600s, agent.get_token())),
            NetError);
    });
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, 60s, [&] { return arrived; }));
    }
    agent.request_stop();
    asking.join();
    // Without a stop(): the gateway notices by itself.
    for (int i = 0; i < 600 && gateway_->in_flight() > 0; ++i) {
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_EQ(gateway_->in_flight(), 0);
}

TEST_F(GatewayTest, ManyAgentsAtOnceGetTheirOwnAnswers) {
    const Peer peer({[](const HttpRequest& request, ResponseWriter& writer) {
        writer.send({200, json_type, completion(json::parse(request.body)["messages"][0]["content"]).dump()});
    }});
    auto settings = settings_for(peer);
    settings.max_concurrent = 3;
    open(std::make_shared<HttpUpstream>(settings));
    {
        std::vector<std::jthread> agents;
        for (int i = 0; i < 12; ++i) {
            agents.emplace_back([&, i] {
                const std::string text = "agent " + std::to_string(i);
                const auto response = ask(false, {{"messages", json::array({{{"role", "user"}, {"content", text}}})}});
                EXPECT_EQ(json::parse(response.body)["choices"][0]["message"]["content"], text);
            });
        }
    }
    (void)last_exchange();
    EXPECT_EQ(gateway_->exchanges().size(), 12U);
}

TEST_F(GatewayTest, ASimulatedModelStreamsThroughIt) {
    open(std::make_shared<SimModel>(SimKind::skeptic));
    const auto response = ask(true, {{"stream_options", {{"include_usage", true}}}});
    EXPECT_NE(text_of(response.body).find("(simulated model sim:skeptic)"), std::string::npos);
    const Exchange exchange = last_exchange();
    EXPECT_EQ(exchange.response["model"], "sim:skeptic");
    EXPECT_EQ(exchange.error, "");
}

// What Beast's own client would never send.
class RawConnection {
  public:
    explicit RawConnection(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        const timeval patience{60, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    }
    RawConnection(const RawConnection&) = delete;
    RawConnection& operator=(const RawConnection&) = delete;
    ~RawConnection() { ::close(fd_); }

    void send(std::string_view bytes) const {
        EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    // Up to and with `mark`, or all until the server closes.
    [[nodiscard]] std::string receive(std::string_view mark = {}) const {
        std::string all;
        char byte = 0;
        while ((mark.empty() || !all.ends_with(mark)) && ::recv(fd_, &byte, 1, 0) == 1) {
            all += byte;
        }
        return all;
    }

  private:
    int fd_;
};

class HttpServerTest : public GatewayTest {
  protected:
    void serve(HttpServer::Limits limits = {}) {
        server_ = HttpServer::on_unix(
            socket_, 0600,
            [](const HttpRequest& request, ResponseWriter& writer) {
                writer.send({200, {}, request.method + request.body});
            },
            limits);
    }
    std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, RefusesAmbiguousFraming) {
    serve();
    for (const char* head :
         {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
          "Transfer-Encoding: gzip\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n",
          "Content-Length: 3\r\nContent-Length: 3\r\n", "Content-Length: -1\r\n",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"}) {
        const RawConnection raw(socket_);
        raw.send(std::string("POST / HTTP/1.1\r\nHost: x\r\n") + head + "\r\n");
        const std::string answer = raw.receive();
        EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << head << answer;
    }
    const RawConnection noise(socket_);
    noise.send("this is not HTTP\r\n\r\n");
    EXPECT_TRUE(noise.receive().starts_with("HTTP/1.1 400"));
}

TEST_F(HttpServerTest, KeepsToItsLimits) {
    HttpServer::Limits limits;
    limits.header_bytes = 1'000;
    limits.body_bytes = 10;
    serve(limits);
    const RawConnection body(socket_);
    body.send("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n");
    EXPECT_TRUE(body.receive().starts_with("HTTP/1.1 413"));
    const RawConnection chunked(socket_);
    chunked.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n6\r\nabcdef\r\n0\r\n\r\n");
    EXPECT_TRUE(chunked.receive().starts_with("HTTP/1.1 413"));
    const RawConnection head(socket_);
    head.send("GET / HTTP/1.1\r\nX: " + std::string(2'000, 'x') + "\r\n\r\n");
    EXPECT_TRUE(head.receive().starts_with("HTTP/1.1 431"));
}

TEST_F(HttpServerTest, KeepsAConnectionForMoreThanOneRequest) {
    serve();
    const RawConnection raw(socket_);
    raw.send("POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
    EXPECT_TRUE(raw.receive("POSTab").starts_with("HTTP/1.1 200"));
    raw.send("POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_TRUE(raw.receive("\r\n\r\n").starts_with("HTTP/1.1 100"));
    raw.send("2\r\ncd\r\n0\r\n\r\n");
    EXPECT_TRUE(raw.receive("POSTcd").starts_with("HTTP/1.1 200"));
    raw.send("GET /c HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_NE(raw.receive().find("Connection: close"), std::string::npos);
}

TEST_F(HttpServerTest, ClosesConnectionsThatSayNothing) {
    HttpServer::Limits limits;
    limits.idle = 10ms;
    serve(limits);
    const RawConnection silent(socket_);
    EXPECT_EQ(silent.receive(), "");
    const RawConnection halting(socket_);
    halting.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab");
    EXPECT_EQ(halting.receive(), "");
}

TEST_F(HttpServerTest, TakesNoMoreConnectionsThanAllowedAtOnce) {
    HttpServer::Limits limits;
    limits.connections = 1;
    serve(limits);
    auto first = std::make_unique<RawConnection>(socket_);
    first->send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_NE(first->receive("GET"), "");
    const RawConnection second(socket_);
    second.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    first.reset();
    EXPECT_TRUE(second.receive().starts_with("HTTP/1.1 200"));
}

TEST_F(HttpServerTest, SetsTheSocketsModeAndRemovesItAtTheEnd) {
    serve();
    struct stat status {};
    ASSERT_EQ(::stat(socket_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    const RawConnection open_connection(socket_);
    server_.reset();
    EXPECT_FALSE(std::filesystem::exists(socket_));
    EXPECT_EQ(open_connection.receive(), "");
    EXPECT_THROW(HttpServer::on_unix("/nowhere/at/all.sock", 0600, {}, {}), NetError);
    EXPECT_THROW(HttpServer::on_unix(std::string(200, 'x'), 0600, {}, {}), NetError);
}

TEST_F(HttpServerTest, AFailingHandlerIsAnError500) {
    server_ = HttpServer::on_unix(socket_, 0600,
                                  [](const HttpRequest& request, ResponseWriter&) {
                                      if (request.target == "/throws") {
                                          throw std::runtime_error("a secret");
                                      }
                                  },
                                  {});
    for (const char* target : {"/throws", "/silent"}) {
        const auto response = call("GET", target);
        EXPECT_EQ(response.status, 500);
        EXPECT_EQ(response.body.find("secret"), std::string::npos);
    }
}

}  // namespace
}  // namespace pasb
