#include "net/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "model/errors.hpp"

namespace pasb {

FileDescriptor::FileDescriptor(const std::string& path, int flags, unsigned mode)
    : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}

FileDescriptor::~FileDescriptor() {
    if (is_open()) {
        close(number_);
    }
}

std::string read_file(const std::string& path) {
    const FileDescriptor file(path, O_RDONLY);
    std::string text;
    std::array<char, 65536> buffer;
    while (true) {
        const ssize_t got = file.is_open() ? read(file.number(), buffer.data(), buffer.size()) : -1;
        if (got == 0) {
            return text;
        }
        if (got > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (errno != EINTR) {
            throw InputError(path + ": cannot be read: " + std::strerror(errno));
        }
    }
}

}  // namespace pasb
