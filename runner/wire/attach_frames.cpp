#include "wire/attach_frames.hpp"

#include <algorithm>

namespace pasb {

std::string_view to_string(AttachEnd end) {
    switch (end) {
        case AttachEnd::whole:
            return "whole";
        case AttachEnd::cut:
            return "cut";
        case AttachEnd::not_framed:
            return "not-framed";
        case AttachEnd::too_long:
            return "too-long";
    }
    return "?";
}

bool AttachFrames::feed(std::string_view piece) {
    while (output_.end == AttachEnd::whole && !piece.empty()) {
        if (frame_left_ > 0) {
            const std::size_t take = std::min<std::size_t>(frame_left_, piece.size());
            keep(piece.substr(0, take));
            frame_left_ -= static_cast<std::uint32_t>(take);
            piece.remove_prefix(take);
        } else {
            header_[header_size_++] = static_cast<unsigned char>(piece.front());
            piece.remove_prefix(1);
            if (header_size_ == header_.size()) {
                header_size_ = 0;
                begin_frame();
            }
        }
    }
    return output_.end == AttachEnd::whole;
}

void AttachFrames::begin_frame() {
    // 0 stdin (written to stdout), 1 stdout, 2 stderr, 3 an error of the engine itself.
    if (header_[0] > 3 || header_[1] != 0 || header_[2] != 0 || header_[3] != 0) {
        output_.end = AttachEnd::not_framed;
        return;
    }
    std::uint32_t length = 0;
    for (std::size_t index = 4; index < header_.size(); ++index) {
        length = length << 8U | header_[index];
    }
    if (length > longest_frame) {
        output_.end = AttachEnd::too_long;
        return;
    }
    frame_left_ = length;
}

void AttachFrames::keep(std::string_view bytes) {
    const std::size_t room = keep_bytes_ - std::min(keep_bytes_, output_.out.size() + output_.err.size());
    const std::string_view kept = bytes.substr(0, room);
    (header_[0] >= 2 ? output_.err : output_.out) += kept;
    output_.dropped += bytes.size() - kept.size();
}

AttachOutput AttachFrames::output() const {
    AttachOutput result = output_;
    if (result.end == AttachEnd::whole && (header_size_ > 0 || frame_left_ > 0)) {
        result.end = AttachEnd::cut;
    }
    return result;
}

AttachOutput parse_attach_frames(std::string_view bytes) {
    AttachFrames frames;
    frames.feed(bytes);
    return frames.output();
}

}  // namespace pasb
