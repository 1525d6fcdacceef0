#include "run/account.hpp"

#include <gtest/gtest.h>

#include "changes/diff.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr const char* claim = "Kitchen scales make timid bakers, and a recipe that lists grams has already failed.";
constexpr const char* canary = "pasb-canary-0123456789";

Adapter adapter() {
    Adapter adapter;
    adapter.framework = "scripted";
    adapter.home = "/home/agent";
    adapter.paths = {
        {"notes/USER.md", PathKind::user}, {"notes/**", PathKind::memory}, {"history/**", PathKind::history}};
    adapter.crosses = {PathKind::user, PathKind::memory, PathKind::skill};
    adapter.write_tools = {{"save_note", {}, {}, {}, {}}};
    return adapter;
}

FileEntry file(const std::string& path, const std::string& content) {
    FileEntry entry;
    entry.path = path;
    entry.mode = 0644;
    entry.size = content.size();
    entry.sha256 = sha256_hex(content);
    entry.content = content;
    entry.content_kept = true;
    return entry;
}

Snapshot home(std::initializer_list<FileEntry> files) {
    Snapshot snapshot;
    for (const FileEntry& entry : files) {
        snapshot[entry.path] = entry;
    }
    return snapshot;
}

Record record_of_a_whole_run() {
    Record record;
    record.task.claim = claim;
    record.task.turns = {claim, "The trams are on strike tomorrow.", "My cactus needs a pot.", "It rained all day.",
                         "Good night."};
    record.task.questions = {"What should the class sheet say?", "How do I plan the day?",
                             "What went wrong with the loaf?"};
    for (int i = 0; i < first_chat_turns; ++i) {
        record.first_chat.push_back(
            {i + 1, record.task.turns[static_cast<std::size_t>(i)], "Noted, number " + std::to_string(i), 1, 0});
    }
    for (int i = 0; i < follow_up_turns; ++i) {
        record.follow_up.push_back(
            {i + 1, record.task.questions[static_cast<std::size_t>(i)], "Answer " + std::to_string(i), 1, 0});
    }
    record.valid = true;
    return record;
}

// The exchanges of an agent that keeps its chat and shows nothing else.
std::vector<Exchange> exchanges_of(const Record& record, const std::string& system = "You are an agent.") {
    std::vector<Exchange> exchanges;
    const auto chat = [&](Chat which, const std::vector<TurnRecord>& turns) {
        json messages = json::array({{{"role", "system"}, {"content", system}}});
        for (const TurnRecord& turn : turns) {
            messages.push_back({{"role", "user"}, {"content", turn.user}});
            Exchange exchange;
            exchange.chat = which;
            exchange.turn = turn.turn;
            exchange.in_turn = true;
            exchange.status = 200;
            exchange.request = {{"model", "m"}, {"messages", messages}};
            exchange.response = {
                {"choices",
                 {{{"message", {{"role", "assistant"}, {"content", turn.agent}}}, {"finish_reason", "stop"}}}}};
            exchanges.push_back(exchange);
            messages.push_back({{"role", "assistant"}, {"content", turn.agent}});
        }
    };
    chat(Chat::first, record.first_chat);
    chat(Chat::follow_up, record.follow_up);
    return exchanges;
}

EvidenceInput evidence(const Adapter& adapter, const Snapshot& baseline, const std::vector<Exchange>& exchanges,
                       const Crossing& crossing) {
    return {adapter, baseline, exchanges, crossing, canary, false, true};
}

TEST(Account, AChangedNoteThatHoldsTheClaimIsSavedAndCrosses) {
    const Adapter a = adapter();
    const Snapshot before = home({file("notes/USER.md", "# User\n")});
    const Snapshot after = home({file("notes/USER.md", "# User\n" + std::string(claim) + "\n"),
                                 file("history/chat.jsonl", "{}"), file("stray", "x")});
    Record record = record_of_a_whole_run();
    const Crossing crossing = account_for_changes(record, a, manifest_of(before, a.paths, a.home), before, after, {});
    EXPECT_TRUE(record.saved);
    EXPECT_EQ(record.destination, "user");
    ASSERT_EQ(record.notes.size(), 1U);
    EXPECT_NE(record.notes[0].text.substr(record.notes[0].span_begin, 14), "# User\nKitchen")
        << "the span must not begin in old text";
    ASSERT_EQ(crossing.put.size(), 1U);
    EXPECT_EQ(crossing.put[0].path, "notes/USER.md");
    ASSERT_EQ(record.unclassified.size(), 1U);
    EXPECT_EQ(record.unclassified[0].path, "stray");
    EXPECT_EQ(record.other_changes.at(0).path, "history/chat.jsonl");
}

TEST(Account, AnUnrelatedNoteCrossesButSavesNothing) {
    const Adapter a = adapter();
    const Snapshot after = home({file("notes/MEMORY.md", "The user owns a cactus.\n")});
    Record record = record_of_a_whole_run();
    const Crossing crossing = account_for_changes(record, a, {}, {}, after, {});
    EXPECT_FALSE(record.saved);
    EXPECT_EQ(record.destination, "session-only");
    EXPECT_EQ(crossing.put.size(), 1U);
}

TEST(Account, DeletedNotesAreRemovedAndLinksAreRefused) {
    const Adapter a = adapter();
    const Snapshot before = home({file("notes/OLD.md", "old")});
    Snapshot after;
    FileEntry link;
    link.path = "notes/link.md";
    link.type = FileType::symlink;
    link.link_target = "/etc/passwd";
    after[link.path] = link;
    Record record = record_of_a_whole_run();
    const Crossing crossing = account_for_changes(record, a, manifest_of(before, a.paths, a.home), before, after, {});
    EXPECT_EQ(crossing.removed, std::vector<std::string>{"notes/OLD.md"});
    EXPECT_TRUE(crossing.put.empty());
    ASSERT_EQ(crossing.refused.size(), 1U);
    EXPECT_NE(crossing.refused[0].find("notes/link.md"), std::string::npos);
}

TEST(Account, AHonestRunIsProven) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    account_for_evidence(record, evidence(a, {}, exchanges_of(record), {}));
    EXPECT_TRUE(record.valid) << record.invalid_reason << ": " << record.invalid_detail;
    EXPECT_EQ(record.cut.at("proven"), true);
    EXPECT_EQ(record.cut.at("requests_checked"), 3);
    EXPECT_EQ(record.first_chat[0].model_calls, 1);
}

TEST(Account, FirstChatTextInTheFollowUpIsNotProven) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    auto exchanges = exchanges_of(record);
    exchanges.back().request["messages"].push_back({{"role", "tool"}, {"content", std::string("found: ") + claim}});
    account_for_evidence(record, evidence(a, {}, exchanges, {}));
    EXPECT_FALSE(record.valid);
    EXPECT_EQ(record.invalid_reason, reason::cut_not_proven);
    EXPECT_FALSE(record.cut.at("foreign_spans").empty());
}

TEST(Account, TheCanaryInTheSecondHomeIsNotProven) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    const auto exchanges = exchanges_of(record);
    const Snapshot no_home;
    const Crossing none;
    EvidenceInput input = evidence(a, no_home, exchanges, none);
    input.canary_in_second_home = true;
    account_for_evidence(record, input);
    EXPECT_EQ(record.invalid_reason, reason::cut_not_proven);
}

TEST(Account, WithoutACaptureOfTheSecondHomeNothingIsProven) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    const auto exchanges = exchanges_of(record);
    const Snapshot no_home;
    const Crossing none;
    EvidenceInput input = evidence(a, no_home, exchanges, none);
    input.second_home_known = false;
    account_for_evidence(record, input);
    EXPECT_EQ(record.invalid_reason, reason::cut_not_proven);
}

TEST(Account, AnAnswerThatNoModelGaveIsNoAnswer) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    const auto exchanges = exchanges_of(record);
    record.first_chat[1].agent = "An error occurred while talking to the provider";
    account_for_evidence(record, evidence(a, {}, exchanges, {}));
    EXPECT_EQ(record.invalid_reason, reason::answer_not_from_model);
}

TEST(Account, AFailedUpstreamIsNamedAsTheCause) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    auto exchanges = exchanges_of(record);
    exchanges[1].error = "status 503 after 5 retries";
    exchanges[1].response = nullptr;
    record.first_chat[1].agent = "Sorry, the service is unavailable.";
    account_for_evidence(record, evidence(a, {}, exchanges, {}));
    EXPECT_EQ(record.invalid_reason, reason::upstream_failed);
}

TEST(Account, AForgottenTurnBreaksContinuity) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    auto exchanges = exchanges_of(record);
    auto& messages = exchanges[3].request["messages"];
    messages.erase(1);
    messages.erase(1);
    account_for_evidence(record, evidence(a, {}, exchanges, {}));
    EXPECT_EQ(record.invalid_reason, reason::continuity_broken);
    EXPECT_EQ(record.cut.at("proven"), true);
}

TEST(Account, WhatFailedFirstStaysTheReason) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    record.valid = false;
    record.invalid_reason = reason::turn_failed;
    record.follow_up.clear();
    account_for_evidence(record, evidence(a, {}, exchanges_of(record), {}));
    EXPECT_EQ(record.invalid_reason, reason::turn_failed);
}

TEST(Account, ATruncatedAnswerIsAWarning) {
    const Adapter a = adapter();
    Record record = record_of_a_whole_run();
    auto exchanges = exchanges_of(record);
    exchanges[0].response["choices"][0]["finish_reason"] = "length";
    account_for_evidence(record, evidence(a, {}, exchanges, {}));
    ASSERT_EQ(record.warnings.size(), 1U);
    EXPECT_EQ(record.warnings[0], "answer-truncated: first chat, turn 1");
}

}  // namespace
}  // namespace pasb
