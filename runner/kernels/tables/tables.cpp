#include "runner/kernels/rooms.h"
#include "runner/kernels/tables/kernels.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> tablesKernels()
{
    static constexpr std::array list{&kernels::hashTable,
                                     &kernels::hashTableV2,
                                     &kernels::initializeTable,
                                     &kernels::initializeTableFromTextFile,
                                     &kernels::initializeTableFromTextFileV2,
                                     &kernels::initializeTableV2,
                                     &kernels::lookupTableExport,
                                     &kernels::lookupTableExportV2,
                                     &kernels::lookupTableFind,
                                     &kernels::lookupTableFindV2,
                                     &kernels::lookupTableImport,
                                     &kernels::lookupTableImportV2,
                                     &kernels::lookupTableInsert,
                                     &kernels::lookupTableInsertV2,
                                     &kernels::lookupTableRemoveV2,
                                     &kernels::lookupTableSize,
                                     &kernels::lookupTableSizeV2,
                                     &kernels::mutableDenseHashTable,
                                     &kernels::mutableDenseHashTableV2,
                                     &kernels::mutableHashTable,
                                     &kernels::mutableHashTableOfTensors,
                                     &kernels::mutableHashTableOfTensorsV2,
                                     &kernels::mutableHashTableV2};
    return list;
}

} // namespace lapidary
