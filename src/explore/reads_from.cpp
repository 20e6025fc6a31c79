#include "explore/explorer.h"
namespace heddle {
bool Explorer::isMaximalExtension(EventId, EventId) { return false; }
}
