#include "agent/agent_control.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"
#include "net/http_server.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;
using testing::TemporaryFolder;

Adapter adapter() {
    Adapter adapter;
    adapter.framework = "scripted";
    adapter.ready = {"GET", "/ready", {}, nullptr, "", 200, 5};
    adapter.turn = {"POST",
                    "/turn/{{session}}",
                    {{"X-Session", "{{session}}"}},
                    {{"session", "{{session}}"}, {"text", "{{text}}"}},
                    "/reply",
                    200,
                    5};
    return adapter;
}

// The adapter's session and socket with an agent behind it that does what a test says.
class Agent {
  public:
    explicit Agent(HttpHandler handler, Adapter described = adapter())
        : adapter_(std::move(described)), server_(HttpServer::on_unix(socket(), 0600, std::move(handler), {})) {}

    [[nodiscard]] TurnResult turn(const std::string& text, const Deadline& deadline = Deadline::after(20s)) const {
        return control_.take_turn(text, deadline);
    }
    [[nodiscard]] const AgentControl& control() const { return control_; }

  private:
    [[nodiscard]] std::string socket() const { return (folder_.path() / "agent.sock").string(); }
    TemporaryFolder folder_;
    Adapter adapter_;
    std::unique_ptr<HttpServer> server_;
    AgentControl control_{adapter_, socket(), "run-7", "first-{{run}}"};
};

HttpHandler answers(HttpResponse response) {
    return [response = std::move(response)](const HttpRequest&, ResponseWriter& writer) { writer.send(response); };
}

void stall(const HttpRequest&, ResponseWriter& writer) {
    while (!writer.stop().stop_requested()) {
        std::this_thread::sleep_for(10ms);
    }
}

bool always() {
    return true;
}

TEST(AgentControl, HandsOverATurnAsTheAdapterDescribesIt) {
    HttpRequest seen;
    const Agent agent([&](const HttpRequest& request, ResponseWriter& writer) {
        seen = request;
        writer.send({200, {}, json{{"reply", "Noted, \"caf\u00e9\".\n"}}.dump()});
    });
    const TurnResult result = agent.turn("I say \"no\"\n{{session}} \\");
    EXPECT_TRUE(result.ok) << result.failure;
    EXPECT_EQ(result.reply, "Noted, \"caf\u00e9\".\n");
    EXPECT_EQ(agent.control().session(), "first-run-7");
    EXPECT_EQ(seen.method, "POST");
    EXPECT_EQ(seen.target, "/turn/first-run-7");
    EXPECT_EQ(seen.headers.at("x-session"), "first-run-7");
    EXPECT_EQ(json::parse(seen.body), (json{{"session", "first-run-7"}, {"text", "I say \"no\"\n{{session}} \\"}}))
        << "a user's text is never taken for a template";
}

TEST(AgentControl, ATextThatIsNotUtf8IsStillSent) {
    std::string body;
    const Agent agent([&](const HttpRequest& request, ResponseWriter& writer) {
        body = request.body;
        writer.send({200, {}, R"({"reply": "ok"})"});
    });
    EXPECT_TRUE(agent.turn("caf\xe9").ok);
    EXPECT_TRUE(json::accept(body)) << body;
}

TEST(AgentControl, AnErrorStatusIsAFailureWithItsText) {
    const TurnResult result = Agent(answers({502, {}, "the model is away"})).turn("hello");
    EXPECT_FALSE(result.ok);
    EXPECT_FALSE(result.empty);
    EXPECT_EQ(result.failure, "the agent answered status 502: the model is away");
}

TEST(AgentControl, AnAnswerWithoutTextIsEmpty) {
    for (const char* body : {R"({"reply": ""})", R"({"reply": " \n\t"})", R"({"reply": null})", R"({"reply": 5})",
                             R"({"other": "text"})", R"([])", "", "plain text, no JSON", "{\"reply\": \"cut"}) {
        const TurnResult result = Agent(answers({200, {}, body})).turn("hello");
        EXPECT_FALSE(result.ok) << body;
        EXPECT_TRUE(result.empty) << body;
        EXPECT_NE(result.failure, "") << body;
    }
}

TEST(AgentControl, AHugeAnswerIsCutShortAndNoReply) {
    const Agent agent([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {});
        while (true) {
            writer.write(std::string(1U << 20U, 'x'));
        }
    });
    const TurnResult result = agent.turn("hello");
    EXPECT_FALSE(result.ok);
    EXPECT_NE(result.failure, "");
    EXPECT_LT(result.failure.size(), 1000U);
}

TEST(AgentControl, AFailureIsOneShortLine) {
    const TurnResult result =
        Agent(answers({500, {}, "first\nsecond\x1b[31m" + std::string(100'000, 'x')})).turn("hello");
    EXPECT_LT(result.failure.size(), 1000U);
}

TEST(AgentControl, AnAgentThatNeverAnswersRunsIntoTheTurnsDeadline) {
    Adapter impatient = adapter();
    impatient.turn.deadline_s = 1;
    const Agent agent(stall, impatient);
    const auto begin = Clock::now();
    const TurnResult result = agent.turn("hello");
    EXPECT_FALSE(result.ok);
    EXPECT_NE(result.failure.find("no answer in time"), std::string::npos) << result.failure;
    EXPECT_LT(Clock::now() - begin, 3s);
}

TEST(AgentControl, AStopSignalEndsATurnWithinASecond) {
    const Agent agent(stall);
    std::stop_source stop;
    const std::jthread later([&] {
        std::this_thread::sleep_for(200ms);
        stop.request_stop();
    });
    const auto begin = Clock::now();
    const TurnResult result = agent.turn("hello", Deadline::after(60s, stop.get_token()));
    EXPECT_NE(result.failure.find("cancelled"), std::string::npos) << result.failure;
    EXPECT_LT(Clock::now() - begin, 1200ms);
}

TEST(AgentControl, AnAgentThatHangsUpIsAFailure) {
    const Agent agent([](const HttpRequest&, ResponseWriter& writer) {
        writer.begin(200, {});
        writer.write("{\"reply\"");
    });
    const TurnResult result = agent.turn("hello");
    EXPECT_FALSE(result.ok);
    EXPECT_FALSE(result.empty);
    EXPECT_NE(result.failure, "");
}

TEST(AgentControl, NobodyListensIsAFailure) {
    const Adapter described = adapter();
    const AgentControl control(described, "/tmp/pasb-no-such.sock", "r", "s");
    EXPECT_NE(control.take_turn("hello", Deadline::after(5s)).failure, "");
}

TEST(WaitReady, AsksUntilTheAgentSaysSo) {
    std::atomic<int> asked = 0;
    const Agent agent([&](const HttpRequest& request, ResponseWriter& writer) {
        EXPECT_EQ(request.target, "/ready");
        writer.send({++asked < 4 ? 503 : 200, {}, {}});
    });
    EXPECT_EQ(agent.control().wait_ready(always, Deadline::after(20s)), "");
    EXPECT_EQ(asked, 4);
}

TEST(WaitReady, GivesUpAtItsDeadlineWithTheLastAnswer) {
    Adapter impatient = adapter();
    impatient.ready.deadline_s = 1;
    const Agent agent(answers({503, {}, "still loading"}), impatient);
    EXPECT_EQ(agent.control().wait_ready(always, Deadline::after(20s)),
              "not ready in time; last answer: status 503: still loading");
}

TEST(WaitReady, EndsWhenTheContainerHas) {
    const Adapter described = adapter();
    const AgentControl control(described, "/tmp/pasb-no-such.sock", "r", "s");
    const auto begin = Clock::now();
    const std::string why = control.wait_ready([] { return false; }, Deadline::after(20s));
    EXPECT_TRUE(why.starts_with("its container has ended")) << why;
    EXPECT_LT(Clock::now() - begin, 4s);
}

TEST(WaitReady, EndsOnAStopSignal) {
    const Adapter described = adapter();
    const AgentControl control(described, "/tmp/pasb-no-such.sock", "r", "s");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(control.wait_ready(always, Deadline::after(20s, stop.get_token())), "cancelled");
}

}  // namespace
}  // namespace pasb
