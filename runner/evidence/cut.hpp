// Proof from the record that nothing but the notes went from the first chat into the follow-up (issue 2, item 12). Not
// proven is the default: what cannot be checked is not proven.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/conversation.hpp"
#include "model/adapter.hpp"

namespace pasb {

// A path that was put into container 2.
struct CrossedPath {
    std::string path;  // relative to home, raw bytes
    PathKind kind = PathKind::unknown;
    std::string content;      // whole
    bool has_content = true;  // false where a cap dropped it: then nothing is known of it and the cut is not proven
};

// A file of container 2's captured home, or any other bytes of it, to be searched for the canary.
struct NamedBytes {
    std::string name;
    std::string_view bytes;
};

struct CutInput {
    std::span<const TurnText> first_chat;
    std::span<const TurnText> follow_up;  // user: the task's questions; agent: the answers
    std::span<const Exchange> exchanges;  // of both chats, in the order in which they began
    std::span<const CrossedPath> crossed;
    std::span<const std::string>
        framework_texts;      // text files of the baseline, which both chats may show; may be empty
    std::string_view canary;  // written into container 1 outside the notes
    std::span<const NamedBytes> second_home;
};

struct ForeignSpan {
    int request = 0;      // 0-based among the follow-up's requests
    std::string where;    // "messages/3 (tool)", "tools"
    std::string excerpt;  // of the request's text, at most 200 characters
    std::size_t words = 0;
};

struct CutResult {
    bool proven = false;
    std::string reason;  // the first reason against it; empty when proven
    int requests_checked = 0;
    std::vector<std::string> crossed;        // paths, printable
    std::vector<ForeignSpan> foreign_spans;  // each text once, at most max_foreign_spans
    std::size_t foreign_total = 0;
    std::vector<std::string> canary_seen;  // "request 2", "response 2", "note memories/USER.md", "home .cache/x"
};

inline constexpr std::size_t max_foreign_spans = 20;

// A span of eight or more words of a first-chat text may stand in a follow-up request if it also stands in a carried
// note, in a question, in what the model itself had answered earlier in the follow-up, or in the framework's own texts.
// Those are what it shows before the first turn, and, in tool results alone, what its tools said in the first chat and
// neither user nor agent had. At either end of a span up to two words may go beyond what is allowed, since a
// neighbouring word agrees by chance now and then. Notes excuse nothing in an assistant's message, nor a user's message
// that is a first-chat turn whole, nor do they excuse themselves: a note that holds a transcript of the first chat
// (user and agent of two turns) makes the cut not proven, as does a crossed path that is binary or no note.
CutResult check_cut(const CutInput& input);

}  // namespace pasb
