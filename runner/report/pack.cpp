#include "report/pack.hpp"

#include <zlib.h>

#include <new>
#include <stdexcept>

#include "model/bytes.hpp"

namespace pasb {

std::string packed(std::string_view text) {
    constexpr int gzip_window = 15 + 16;  // zlib's way of asking for a gzip header
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string input(text);  // zlib reads through a pointer that is not const
    std::string bytes(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    const int result = deflate(&stream, Z_FINISH);
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    if (result != Z_STREAM_END) {
        throw std::logic_error("deflate stopped before its end");
    }
    return base64(bytes);
}

}  // namespace pasb
