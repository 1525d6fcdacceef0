#include "exports/zip_writer.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <utility>

namespace pasb {

struct ZipWriter::Stream {
    explicit Stream(std::function<void(std::string_view)> to) : sink(std::move(to)) {
        archive_write_set_format_zip(handle.get());
        archive_write_zip_set_compression_deflate(handle.get());
        archive_write_set_options(handle.get(), "zip:hdrcharset=UTF-8");
        // No padding of the last block, or readers find bytes behind the directory.
        archive_write_set_bytes_in_last_block(handle.get(), 1);
        check(archive_write_open(handle.get(), this, nullptr, &Stream::write, nullptr));
    }

    // No exception may pass through the C library, so it waits in `error`.
    static la_ssize_t write(archive* handle, void* self, const void* bytes, std::size_t size) {
        auto& stream = *static_cast<Stream*>(self);
        try {
            stream.sink(std::string_view(static_cast<const char*>(bytes), size));
            return static_cast<la_ssize_t>(size);
        } catch (...) {
            stream.error = std::current_exception();
            archive_set_error(handle, EIO, "the sink failed");
            return ARCHIVE_FATAL;
        }
    }

    void check(la_ssize_t result) {
        if (error) {
            std::rethrow_exception(std::exchange(error, nullptr));
        }
        if (result < ARCHIVE_OK) {
            const char* const text = archive_error_string(handle.get());
            throw std::runtime_error(std::string("zip: ") + (text == nullptr ? "unknown trouble" : text));
        }
    }

    std::function<void(std::string_view)> sink;
    std::exception_ptr error;
    std::unique_ptr<archive, decltype(&archive_write_free)> handle{archive_write_new(), &archive_write_free};
};

ZipWriter::ZipWriter(std::function<void(std::string_view)> sink) : stream_(std::make_unique<Stream>(std::move(sink))) {}

// An archive that was not finished is cut; closing it here would call the sink from a destructor.
ZipWriter::~ZipWriter() {
    archive_write_fail(stream_->handle.get());
}

void ZipWriter::add(const std::string& name, std::string_view content) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), &archive_entry_free);
    archive_entry_set_pathname_utf8(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
    archive_entry_set_mtime(entry.get(), 0, 0);
    stream_->check(archive_write_header(stream_->handle.get(), entry.get()));
    stream_->check(archive_write_data(stream_->handle.get(), content.data(), content.size()));
    stream_->check(archive_write_finish_entry(stream_->handle.get()));
}

void ZipWriter::finish() {
    stream_->check(archive_write_close(stream_->handle.get()));
}

}  // namespace pasb
