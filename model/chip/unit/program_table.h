// What a machine needs to know of each instruction of each program, and what each costs.
#pragma once

#include <vector>

#include "model/chip/preset.h"
#include "model/chip/result.h"
#include "model/chip/workload.h"

namespace tessera::model {

/// Units of a block processor that execute instructions.
enum class ExecutionUnit : uint8_t { Arithmetic, Transcendental, Texture, Control, Memory, Exchange };
inline constexpr int kExecutionUnits = 6;

struct InstructionCost {
    enum class Kind : uint8_t { Plain, Lookup, Shared, Global, Barrier };
    Kind kind = Kind::Plain;
    InstructionClass instructions = InstructionClass::Alu;
    ExecutionUnit unit = ExecutionUnit::Arithmetic;
    uint8_t slot = 0;  ///< memory
    uint8_t barrier = 0, barrierGroups = 0;
    uint8_t turns = 1;  ///< one behind the other, as a lane works on so few components at once
    uint16_t latency = 0, interval = 0;
};

/// Registers that an instruction reads and writes, for the scoreboard: by file and number, or a whole file.
struct RegisterUse {
    static constexpr uint32_t kWholeFile = 0xFFFF;
    struct Register {
        uint8_t file = 0;
        uint16_t index = 0;
        [[nodiscard]] bool meets(Register other) const {
            return file == other.file && (index == other.index || index == kWholeFile || other.index == kWholeFile);
        }
    };
    Register read[6];
    uint8_t reads = 0;
    Register written;
    bool writes = false;
    bool waitsForAll = false;  ///< a barrier
};

/// Registers that a group of the program takes.
[[nodiscard]] uint32_t registersOf(const Workload& workload, const Preset& preset, uint32_t program);

class ProgramTable {
public:
    ProgramTable(const Workload& workload, const Preset& preset);

    /// Where a program's instructions begin in the tables below.
    [[nodiscard]] uint32_t base(uint32_t program) const { return bases_[program]; }
    [[nodiscard]] const InstructionCost& cost(uint32_t index) const { return costs_[index]; }
    [[nodiscard]] const RegisterUse& use(uint32_t index) const { return uses_[index]; }
    /// That a group of it takes; kNone is no program.
    [[nodiscard]] uint32_t registers(uint32_t program) const {
        return registers_[program == kNone ? registers_.size() - 1 : program];
    }
    PcResult& result(uint32_t index) { return results_[index]; }
    /// By program, by pc.
    [[nodiscard]] std::vector<std::vector<PcResult>> results() const;

private:
    std::vector<uint32_t> bases_;      ///< one more than there are programs
    std::vector<uint32_t> registers_;  ///< by program, and behind them those of none
    std::vector<InstructionCost> costs_;
    std::vector<RegisterUse> uses_;
    std::vector<PcResult> results_;
};

}  // namespace tessera::model
