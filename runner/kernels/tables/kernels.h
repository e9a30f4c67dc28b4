#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// tables.cpp lists them.
extern const Kernel hashTable;
extern const Kernel hashTableV2;
extern const Kernel initializeTable;
extern const Kernel initializeTableFromTextFile;
extern const Kernel initializeTableFromTextFileV2;
extern const Kernel initializeTableV2;
extern const Kernel lookupTableExport;
extern const Kernel lookupTableExportV2;
extern const Kernel lookupTableFind;
extern const Kernel lookupTableFindV2;
extern const Kernel lookupTableImport;
extern const Kernel lookupTableImportV2;
extern const Kernel lookupTableInsert;
extern const Kernel lookupTableInsertV2;
extern const Kernel lookupTableRemoveV2;
extern const Kernel lookupTableSize;
extern const Kernel lookupTableSizeV2;
extern const Kernel mutableDenseHashTable;
extern const Kernel mutableDenseHashTableV2;
extern const Kernel mutableHashTable;
extern const Kernel mutableHashTableOfTensors;
extern const Kernel mutableHashTableOfTensorsV2;
extern const Kernel mutableHashTableV2;

} // namespace lapidary::kernels
