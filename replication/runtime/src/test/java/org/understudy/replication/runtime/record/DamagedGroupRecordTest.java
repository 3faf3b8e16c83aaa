package org.understudy.replication.runtime.record;

/** The same for a record that names its strategy. */
class DamagedGroupRecordTest extends DamagedRecordTest {
  @Override
  String strategy() {
    return "group";
  }
}
