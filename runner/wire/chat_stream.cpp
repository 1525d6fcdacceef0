#include "wire/chat_stream.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "model/errors.hpp"
#include "wire/sse.hpp"

namespace pasb {
namespace {

using nlohmann::json;

// How much text a chunk of our own carries.
constexpr std::size_t piece_bytes = 64;

NetError malformed(const std::string& what) {
    return {NetError::Kind::protocol, "the stream holds " + what};
}

// Strings grow, everything else is replaced; a null says nothing.
void append(json& target, const std::string& name, const json& value) {
    if (value.is_null()) {
        return;
    }
    json& slot = target[name];
    if (slot.is_string() && value.is_string()) {
        slot.get_ref<std::string&>() += value.get_ref<const std::string&>();
    } else {
        slot = value;
    }
}

// A tool call's id, type and function name come whole (some servers repeat them in every fragment); only the arguments
// grow.
void add_call_fragment(json& call, const json& fragment) {
    for (const auto& [name, value] : fragment.items()) {
        if (name == "index" || value.is_null()) {
            continue;
        }
        if (name != "function" || !value.is_object()) {
            call[name] = value;
            continue;
        }
        json& function = call["function"];
        if (!function.is_object()) {
            function = json::object();
        }
        for (const auto& [part, text] : value.items()) {
            if (part == "arguments") {
                append(function, part, text);
            } else if (!text.is_null() && text != json("")) {
                function[part] = text;
            }
        }
    }
}

// Position of the call that a fragment belongs to. Some servers leave out the index: a new id then begins a new call.
std::size_t call_position(json& calls, const json& fragment) {
    if (const auto index = fragment.find("index"); index != fragment.end() && index->is_number_integer()) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (calls[i]["index"] == *index) {
                return i;
            }
        }
        calls.push_back({{"index", *index}});
        return calls.size() - 1;
    }
    const auto id = fragment.find("id");
    const bool fresh =
        calls.empty() || (id != fragment.end() && id->is_string() && calls.back().value("id", json()) != *id);
    if (fresh) {
        calls.push_back({{"index", calls.size()}});
    }
    return calls.size() - 1;
}

void add_delta(json& message, const json& delta) {
    for (const auto& [name, value] : delta.items()) {
        if (name == "role") {
            if (value.is_string()) {
                message["role"] = value;
            }
        } else if (name == "tool_calls" && value.is_array()) {
            json& calls = message["tool_calls"];
            if (!calls.is_array()) {
                calls = json::array();
            }
            for (const auto& fragment : value) {
                if (!fragment.is_object()) {
                    throw malformed("a tool call that is no object");
                }
                add_call_fragment(calls[call_position(calls, fragment)], fragment);
            }
        } else {
            append(message, name, value);
        }
    }
}

void add_choice(json& choice, const json& part) {
    for (const auto& [name, value] : part.items()) {
        if (name == "index" || name == "message" || value.is_null()) {
            continue;
        }
        if (name != "delta") {
            choice[name] = value;
            continue;
        }
        if (!value.is_object()) {
            throw malformed("a delta that is no object");
        }
        add_delta(choice["message"], value);
    }
}

// Calls in the order of their index, without it: that is how a whole completion carries them.
void settle_calls(json& message) {
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) {
        return;
    }
    std::vector<json> ordered(calls->begin(), calls->end());
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const json& a, const json& b) { return a.at("index") < b.at("index"); });
    for (auto& call : ordered) {
        call.erase("index");
    }
    *calls = std::move(ordered);
}

// Up to `piece_bytes` of text from `at`, never cutting a UTF-8 sequence.
std::size_t piece_end(std::string_view text, std::size_t at) {
    std::size_t end = std::min(text.size(), at + piece_bytes);
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        ++end;
    }
    return end;
}

class ChunkMaker {
  public:
    explicit ChunkMaker(const json& completion) {
        for (const char* name : {"id", "created", "model", "system_fingerprint"}) {
            if (completion.contains(name)) {
                head_[name] = completion[name];
            }
        }
        head_["object"] = "chat.completion.chunk";
    }

    void add(const json& choice) {
        index_ = choice.value("index", json(0));
        const json message = choice.value("message", json::object());
        delta({{"role", message.value("role", json("assistant"))}});
        for (const auto& [name, value] : message.items()) {
            if (name == "tool_calls" && value.is_array()) {
                for (std::size_t i = 0; i < value.size(); ++i) {
                    add_call(i, value[i]);
                }
            } else if (value.is_string() && name != "role") {
                pieces(value.get_ref<const std::string&>(), [&, field = name](std::string text) {
                    delta({{field, std::move(text)}});
                });
            } else if (name != "role") {
                delta({{name, value}});
            }
        }
        json end = choice;
        end.erase("message");
        end["delta"] = json::object();
        push(std::move(end));
    }

    void add_usage(const json& usage) {
        json chunk = head_;
        chunk["choices"] = json::array();
        chunk["usage"] = usage;
        chunks_.push_back(std::move(chunk));
    }

    std::vector<json> take() { return std::move(chunks_); }

  private:
    void add_call(std::size_t position, const json& call) {
        json opening = call;
        opening["index"] = position;
        const json function = call.value("function", json::object());
        const json arguments = function.is_object() ? function.value("arguments", json()) : json();
        if (!arguments.is_string()) {
            delta({{"tool_calls", json::array({opening})}});
            return;
        }
        opening["function"]["arguments"] = "";
        delta({{"tool_calls", json::array({opening})}});
        pieces(arguments.get_ref<const std::string&>(), [&](std::string text) {
            delta(
                {{"tool_calls", json::array({{{"index", position}, {"function", {{"arguments", std::move(text)}}}}})}});
        });
    }

    template <typename Use>
    static void pieces(std::string_view text, Use&& use) {
        std::size_t at = 0;
        do {
            const std::size_t end = piece_end(text, at);
            use(std::string(text.substr(at, end - at)));
            at = end;
        } while (at < text.size());
    }

    void delta(json value) { push({{"index", index_}, {"delta", std::move(value)}, {"finish_reason", nullptr}}); }

    void push(json choice) {
        json chunk = head_;
        choice["index"] = index_;
        chunk["choices"] = json::array({std::move(choice)});
        chunks_.push_back(std::move(chunk));
    }

    json head_ = json::object();
    json index_;
    std::vector<json> chunks_;
};

}  // namespace

void ChatAssembler::add(const json& chunk) {
    if (!chunk.is_object()) {
        throw malformed("an event that is no JSON object");
    }
    for (const auto& [name, value] : chunk.items()) {
        if (name != "choices" && name != "object" && !value.is_null()) {
            head_[name] = value;
        }
    }
    const auto choices = chunk.find("choices");
    if (choices == chunk.end() || choices->is_null()) {
        return;
    }
    if (!choices->is_array()) {
        throw malformed("choices that are no list");
    }
    for (const auto& part : *choices) {
        if (!part.is_object()) {
            throw malformed("a choice that is no object");
        }
        const auto index = part.find("index");
        const std::int64_t position =
            index != part.end() && index->is_number_integer() ? index->get<std::int64_t>() : 0;
        auto [slot, fresh] = choices_.try_emplace(position, json::object());
        if (fresh) {
            slot->second = {{"message", {{"role", "assistant"}, {"content", nullptr}}}, {"finish_reason", nullptr}};
        }
        add_choice(slot->second, part);
    }
}

bool ChatAssembler::finished() const {
    return !choices_.empty() && std::all_of(choices_.begin(), choices_.end(), [](const auto& entry) {
        return entry.second.at("finish_reason").is_string();
    });
}

json ChatAssembler::completion() const {
    json whole = head_;
    whole["object"] = "chat.completion";
    whole["choices"] = json::array();
    for (const auto& [index, choice] : choices_) {
        json settled = choice;
        settled["index"] = index;
        settle_calls(settled["message"]);
        whole["choices"].push_back(std::move(settled));
    }
    return whole;
}

const json* error_object(const json& value) {
    if (!value.is_object()) {
        return nullptr;
    }
    const auto error = value.find("error");
    return error == value.end() || error->is_null() ? nullptr : &*error;
}

std::string completion_problem(const json& value) {
    if (!value.is_object() || !value.contains("choices") || !value["choices"].is_array() || value["choices"].empty()) {
        return "it has no choices";
    }
    for (const auto& choice : value["choices"]) {
        if (!choice.is_object() || !choice.contains("message") || !choice["message"].is_object()) {
            return "it has a choice without a message";
        }
    }
    return {};
}

std::vector<json> completion_chunks(const json& completion, bool include_usage) {
    ChunkMaker maker(completion);
    for (const auto& choice : completion.value("choices", json::array())) {
        maker.add(choice);
    }
    if (include_usage && completion.contains("usage")) {
        maker.add_usage(completion["usage"]);
    }
    return maker.take();
}

std::string completion_sse(const json& completion, bool include_usage) {
    std::string body;
    for (const auto& chunk : completion_chunks(completion, include_usage)) {
        body += sse_text({"", chunk.dump()});
    }
    return body + sse_text({"", "[DONE]"});
}

}  // namespace pasb
