// Who judges or annotates a run: a model behind an endpoint, or the simulated sim:lexical. Knows no file of results;
// see assess.hpp for the work over a folder.
#pragma once

#include <memory>
#include <string>

#include "gateway/models.hpp"
#include "judge/llm_caller.hpp"
#include "model/annotation.hpp"
#include "model/judgement.hpp"
#include "model/record.hpp"
#include "net/deadline.hpp"

namespace pasb {

inline constexpr std::string_view lexical_name = "sim:lexical";

// Requests that a run takes when every reply is usable.
inline constexpr int calls_per_judgement = follow_up_turns + 1;
inline constexpr int calls_per_annotation = 1;

class Judge {
  public:
    Judge() = default;
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;
    virtual ~Judge() = default;
    // `record` must be valid (three answers). Throws NetError (cancelled) when it could not be finished for an
    // interruption or for want of allowed requests: nothing is then to be kept. From any thread.
    virtual Judgement judge(const Record& record, const std::string& record_sha256, int repeat,
                            const Deadline& deadline) = 0;
    [[nodiscard]] virtual nlohmann::json prompts() const = 0;  // as in its judgements
    [[nodiscard]] virtual bool simulated() const = 0;
};

class Annotator {
  public:
    Annotator() = default;
    Annotator(const Annotator&) = delete;
    Annotator& operator=(const Annotator&) = delete;
    virtual ~Annotator() = default;
    // As Judge::judge.
    virtual Annotation annotate(const Record& record, const std::string& record_sha256, int repeat,
                                const Deadline& deadline) = 0;
    [[nodiscard]] virtual nlohmann::json prompt() const = 0;  // as in its annotations
    [[nodiscard]] virtual bool simulated() const = 0;
};

// `name` is sim:lexical, an entry of models.yaml, or an id of the endpoint in OPENAI_BASE_URL; `root` is the project's
// folder, for models and prompts. Throw InputError, also for the simulated agents' models, which cannot judge.
std::unique_ptr<Judge> make_judge(const std::string& name, const std::string& root, const Environment& environment,
                                  std::shared_ptr<Allowance> allowance);
std::unique_ptr<Annotator> make_annotator(const std::string& name, const std::string& root,
                                          const Environment& environment, std::shared_ptr<Allowance> allowance);

// The same with a model that is already there.
std::unique_ptr<Judge> make_llm_judge(ResolvedModel model, const std::string& root,
                                      std::shared_ptr<Allowance> allowance);
std::unique_ptr<Annotator> make_llm_annotator(ResolvedModel model, const std::string& root,
                                              std::shared_ptr<Allowance> allowance);

}  // namespace pasb
