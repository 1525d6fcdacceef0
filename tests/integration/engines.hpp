// The container engines that this machine offers to the tests, each found and given the test image once. Podman as the
// product finds or starts it; Docker where PASB_TEST_DOCKER names a socket (tests/engines/docker).
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "model/errors.hpp"
#include "sandbox/engine_finder.hpp"
#include "sandbox/image_builder.hpp"
#include "sandbox/leftovers.hpp"
#include "sandbox/runtime_folder.hpp"

namespace pasb::testing {

inline Deadline soon() {
    return Deadline::after(std::chrono::seconds(180));
}

class Engines : public ::testing::Environment {
  public:
    struct Offer {
        FoundEngine found;
        BuiltImage image;  // of the scripted agent: small, with a note in its home
        std::string why_not;
    };

    // GoogleTest owns the one object and ends it after the last test.
    static Engines& all() {
        static Engines* const engines = static_cast<Engines*>(::testing::AddGlobalTestEnvironment(new Engines));
        return *engines;
    }

    Offer& offer(const std::string& name) {
        const auto found = offers_.find(name);
        if (found != offers_.end()) {
            return *found->second;
        }
        auto made = std::make_unique<Offer>();
        prepare(name, *made);
        return *offers_.emplace(name, std::move(made)).first->second;
    }

    [[nodiscard]] const RuntimeFolder& runtime() const { return runtime_; }

    // A failed test may have left a container.
    void TearDown() override {
        for (const auto& [name, offer] : offers_) {
            if (!offer->found.engine) {
                continue;
            }
            for (const auto& container :
                 offer->found.engine->list(std::string(owner_label) + "=" + runtime_.owner(), soon())) {
                offer->found.engine->remove(container.id, soon());
            }
        }
        offers_.clear();
    }

  private:
    void prepare(const std::string& name, Offer& offer) {
        std::string wanted = name;
        if (name == "docker") {
            const char* const socket = std::getenv("PASB_TEST_DOCKER");
            if (socket == nullptr || *socket == '\0') {
                offer.why_not = "PASB_TEST_DOCKER names no socket: see tests/engines/docker";
                return;
            }
            wanted = "unix://" + std::string(socket);
        }
        try {
            offer.found = find_engine(wanted, runtime_.path(), soon());
        } catch (const EngineError& error) {
            // Only Podman may be missing. A Docker that was promised and does not answer is a failure, not a reason to
            // skip.
            if (name == "docker") {
                throw;
            }
            offer.why_not = error.what();
            return;
        }
        ImageBuilder builder({PASB_SOURCE_DIR "/images", PASB_SOURCE_DIR "/tests/agents/images"},
                             default_cache_folder(),
                             [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); });
        offer.image = builder.ensure(*offer.found.engine, "scripted", Deadline::after(std::chrono::minutes(20)));
    }

    RuntimeFolder runtime_;
    std::map<std::string, std::unique_ptr<Offer>> offers_;
};

// A container for one test, removed with its object.
class Box {
  public:
    Box(const Engine& engine, const ContainerSpec& spec, bool start = true)
        : engine_(engine), id_(engine.create(spec, soon())) {
        if (start) {
            engine_.start(id_, soon());
        }
    }
    ~Box() {
        try {
            engine_.remove(id_, soon());
        } catch (const EngineError& error) {
            ADD_FAILURE() << error.what();
        }
    }
    Box(const Box&) = delete;
    Box& operator=(const Box&) = delete;

    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] ExecResult sh(const std::string& script) const {
        return engine_.exec(id_, {"/bin/sh", "-c", script}, soon());
    }
    [[nodiscard]] ExecResult python(const std::string& script) const {
        return engine_.exec(id_, {"python3", "-c", script}, soon());
    }

  private:
    const Engine& engine_;
    std::string id_;
};

}  // namespace pasb::testing
