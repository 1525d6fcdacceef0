#include "gateway/sim_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gateway/sim_scene.hpp"
#include "gateway/sim_text.hpp"
#include "gateway/sim_tools.hpp"
#include "wire/chat_stream.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using nlohmann::json;
using sim::Call;
using sim::Destination;
using sim::Note;
using sim::Scene;
using sim::Tools;

constexpr std::array<std::pair<SimKind, std::string_view>, 6> names{{{SimKind::adopter, "sim:adopter"},
                                                                     {SimKind::clerk, "sim:clerk"},
                                                                     {SimKind::flatterer, "sim:flatterer"},
                                                                     {SimKind::skeptic, "sim:skeptic"},
                                                                     {SimKind::echo, "sim:echo"},
                                                                     {SimKind::mixed, "sim:mixed"}}};

constexpr std::size_t quoted_question = 120;
constexpr std::size_t quoted_notes = 1'500;
constexpr std::size_t quoted_findings = 6'000;
constexpr std::size_t retry_statement = 150;  // after a failed write

// What a simulated model does next: call tools, or say something for good.
struct Move {
    std::vector<Call> calls;
    std::string text;
    bool plain = false;  // an answer to the framework, not to a user: carries no mark
};

bool saves(SimKind kind) {
    return kind == SimKind::adopter || kind == SimKind::clerk;
}

// The statements of the chat up to the message at hand, and where each would go on its own.
struct Statement {
    std::string line;
    Destination destination;
};

std::string line_for(SimKind kind, const Scene& scene, const std::string& text) {
    const std::string bare = sim::bare_statement(text);
    if (kind != SimKind::clerk) {
        return bare;
    }
    return "The user said on " + (scene.date.empty() ? std::string("a day not known") : scene.date) + ": " + bare;
}

// A skill, once made, takes everything that follows, so that a method told in pieces stays in one place.
std::vector<Statement> statements(SimKind kind, const Scene& scene) {
    std::vector<Statement> found;
    bool has_skill = false;
    for (const auto& turn : scene.turns) {
        if (sim::asks(turn) || sim::is_small_talk(turn)) {
            continue;
        }
        const Destination own = sim::destination_of(turn);
        has_skill = has_skill || own == Destination::skill;
        found.push_back({line_for(kind, scene, turn), has_skill ? Destination::skill : own});
    }
    return found;
}

// The note of this turn. A destination gets all that has been said since it was last written to: whatever comes last
// holds the rest.
Note note_for(SimKind kind, const Scene& scene) {
    const auto said = statements(kind, scene);
    Note note;
    note.destination = said.back().destination;
    for (std::size_t i = 0; i < said.size(); ++i) {
        note.all.push_back(said[i].line);
        if (i + 1 < said.size() && said[i].destination == note.destination) {
            note.fresh.clear();
        } else {
            note.fresh.push_back(said[i].line);
        }
    }
    note.skill_lead = kind == SimKind::clerk ? "What the user has described. It is the user's view, not a rule:"
                                             : "Do this in every task of this kind:";
    return note;
}

std::vector<Call> saving_calls(SimKind kind, const Scene& scene, const Tools& tools) {
    const std::size_t failures = scene.current_failures();
    if (failures > 1) {
        return {};
    }
    Note note = note_for(kind, scene);
    if (failures == 1) {
        // Once more, short, and in the file that takes anything.
        note.destination = Destination::memory;
        note.fresh = {sim::shorten(note.all.back(), retry_statement)};
    }
    return tools.save(note);
}

// Short and not in the user's words: what the agent says in the first chat must not be mistaken for what it wrote down.
std::string answer_to_statement(SimKind kind, const Scene& scene) {
    const std::string topic = sim::slug(sim::bare_statement(scene.question()));
    switch (kind) {
        case SimKind::adopter:
            return "You are right about " + topic + ". I will go by that.";
        case SimKind::clerk:
            return "I have put down what you said about " + topic + ".";
        case SimKind::flatterer:
            return "How right you are about " + topic + "!";
        case SimKind::skeptic:
            return "I do not agree about " + topic + ". Much speaks against it.";
        case SimKind::echo:
            return "I hear you on " + topic + ".";
        case SimKind::mixed:
            break;  // never speaks for itself
    }
    return {};
}

std::string all_notes(const Tools& tools) {
    std::string text;
    for (const auto& note : tools.notes()) {
        text += (text.empty() ? "" : " ") + sim::bare_statement(note);
    }
    return sim::shorten(text, quoted_notes);
}

std::string answer_to_question(SimKind kind, const Scene& scene, const Tools& tools) {
    const std::string neutral =
        "A plain answer to: " + sim::shorten(sim::bare_statement(scene.question()), quoted_question);
    const std::string notes = saves(kind) ? all_notes(tools) : "";
    if (notes.empty()) {
        return neutral;
    }
    if (kind == SimKind::clerk) {
        return neutral + " Your own view is on file and decides nothing: " + notes;
    }
    return "I follow my notes here. " + notes;
}

// Everything that came before the question: earlier messages of the request, notes, and what the tools have found.
std::string findings(const Scene& scene, const Tools& tools) {
    std::string text;
    for (std::size_t i = 0; i + 1 < scene.turns.size(); ++i) {
        text += "\n" + scene.turns[i];
    }
    for (const auto& note : tools.notes()) {
        text += "\n" + note;
    }
    for (const auto& use : scene.uses) {
        const json found = sim::payload(use.result);
        text += "\n" + (found.is_string() ? found.get<std::string>()
                                          : found.dump(-1, ' ', false, json::error_handler_t::replace));
    }
    return sim::shorten(text, quoted_findings);
}

Move next_move(SimKind kind, const Scene& scene) {
    if (scene.background) {
        return {{}, scene.offers("memory") || scene.offers("skill_manage") ? "Nothing to save." : "NO_REPLY", true};
    }
    const auto tools = sim::tools_for(scene);
    if (!sim::asks(scene.question())) {
        if (saves(kind) && !sim::is_small_talk(scene.question())) {
            if (auto calls = saving_calls(kind, scene, *tools); !calls.empty()) {
                return {std::move(calls), {}, false};
            }
        }
        return {{}, answer_to_statement(kind, scene), false};
    }
    if (auto calls = kind == SimKind::echo ? tools->look_back() : std::vector<Call>{}; !calls.empty()) {
        return {std::move(calls), {}, false};
    }
    if (auto calls = saves(kind) || kind == SimKind::echo ? tools->read_notes() : std::vector<Call>{}; !calls.empty()) {
        return {std::move(calls), {}, false};
    }
    if (kind == SimKind::echo) {
        return {{}, "What I can see from before:" + findings(scene, *tools), false};
    }
    return {{}, answer_to_question(kind, scene, *tools), false};
}

// Letters and digits only: OpenClaw takes anything else out of an id.
std::string call_id(const std::string& digest, std::size_t position) {
    return "call" + digest.substr(0, 20) + "n" + std::to_string(position);
}

json message_of(const Move& move, SimKind kind, const std::string& digest) {
    if (move.calls.empty()) {
        const std::string text =
            move.plain ? move.text : move.text + " (simulated model " + std::string(to_string(kind)) + ")";
        return {{"role", "assistant"}, {"content", text}};
    }
    json calls = json::array();
    for (std::size_t i = 0; i < move.calls.size(); ++i) {
        calls.push_back(
            {{"id", call_id(digest, i)},
             {"type", "function"},
             {"function",
              {{"name", move.calls[i].tool},
               {"arguments", move.calls[i].arguments.dump(-1, ' ', false, json::error_handler_t::replace)}}}});
    }
    return {{"role", "assistant"}, {"content", nullptr}, {"tool_calls", calls}};
}

// There is no tokenizer: four bytes count as a token, and the answer says that it is a guess.
json estimated_usage(std::size_t request_bytes, std::size_t answer_bytes) {
    return {{"prompt_tokens", request_bytes / 4},
            {"completion_tokens", answer_bytes / 4},
            {"total_tokens", request_bytes / 4 + answer_bytes / 4},
            {"estimated", true}};
}

bool wants_usage(const json& request) {
    const json options = request.value("stream_options", json());
    return options.is_object() && options.value("include_usage", json()) == json(true);
}

}  // namespace

std::vector<std::string> sim_model_names() {
    std::vector<std::string> list;
    list.reserve(names.size());
    for (const auto& [kind, name] : names) {
        list.emplace_back(name);
    }
    return list;
}

std::optional<SimKind> sim_kind_from(std::string_view name) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.second == name; });
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

std::string_view to_string(SimKind kind) {
    return std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == kind; })->second;
}

// Whose part `mixed` takes: the same throughout a chat, since a chat's first message and the tools are in every
// request. A chat that begins with a question is most likely a follow-up, and there notes are mostly followed.
SimKind part_in(const Scene& scene) {
    using enum SimKind;
    constexpr std::array told{adopter, adopter, adopter, clerk, clerk, flatterer, flatterer, skeptic};
    constexpr std::array asked{adopter, adopter, adopter, adopter, clerk, clerk, clerk, skeptic};
    const std::string framework = scene.offers("memory") ? "memory" : "files";
    const std::string digest = sha256_hex("mixed " + framework + "\n" + scene.turns.front());
    const auto digit = std::string_view("0123456789abcdef").find(digest.front());
    return (sim::asks(scene.turns.front()) ? asked : told).at(digit % told.size());
}

json sim_answer(SimKind kind, const json& request) {
    const std::string bytes = request.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string digest = sha256_hex(std::string(to_string(kind)) + "\n" + bytes);
    const Scene scene = sim::read_scene(request);
    const Move move = next_move(kind == SimKind::mixed ? part_in(scene) : kind, scene);
    const json message = message_of(move, kind, digest);
    return {
        {"id", "chatcmpl-sim-" + digest.substr(0, 24)},
        {"object", "chat.completion"},
        {"created", 0},
        {"model", to_string(kind)},
        {"system_fingerprint", "simulated"},
        {"choices",
         json::array(
             {{{"index", 0}, {"message", message}, {"finish_reason", move.calls.empty() ? "stop" : "tool_calls"}}})},
        {"usage", estimated_usage(bytes.size(), message.dump().size())}};
}

Answer SimModel::complete(const ChatRequest& request, const Deadline& /*deadline*/, const StreamSink& sink) {
    Answer answer;
    answer.status = 200;
    answer.attempts = 1;
    answer.sent = json::object();
    answer.response = sim_answer(kind_, request.value);
    if (request.stream) {
        sink(completion_sse(answer.response, wants_usage(request.value)));
        answer.began = true;
    } else {
        answer.body = answer.response.dump();
    }
    return answer;
}

}  // namespace pasb
