// The engine's framed stdout and stderr of an attached exec or container: {stream, 0, 0, 0, length as 4 bytes
// big-endian} then the bytes. Not for a terminal (Tty: true), which is sent raw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pasb {

enum class AttachEnd {
    whole,       // ended between two frames
    cut,         // ended within a header or a frame; what came before it is kept
    not_framed,  // a header that no engine writes: the stream is raw or out of step
    too_long,    // a frame longer than any engine writes
};

std::string_view to_string(AttachEnd end);

struct AttachOutput {
    std::string out;
    std::string err;
    AttachEnd end = AttachEnd::whole;
    std::uint64_t dropped = 0;  // bytes beyond the limit, of both streams together
};

// Fed in pieces of any size. Hostile bytes end it in one of the states above; it never throws on them.
class AttachFrames {
  public:
    // Podman writes frames up to 8 KiB, Docker up to 32 KiB (measured).
    static constexpr std::uint32_t longest_frame = 1U << 20U;

    explicit AttachFrames(std::size_t keep_bytes = 16U << 20U) : keep_bytes_(keep_bytes) {}

    // False once the stream is not_framed or too_long: the rest has no meaning.
    bool feed(std::string_view piece);
    // What came so far, with the state the stream would have if it ended here.
    [[nodiscard]] AttachOutput output() const;

  private:
    void begin_frame();
    void keep(std::string_view bytes);

    std::size_t keep_bytes_;
    std::array<unsigned char, 8> header_{};
    std::size_t header_size_ = 0;
    std::uint32_t frame_left_ = 0;
    AttachOutput output_;
};

AttachOutput parse_attach_frames(std::string_view bytes);

}  // namespace pasb
