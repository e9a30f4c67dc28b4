#include "views/models/latest_job.h"
