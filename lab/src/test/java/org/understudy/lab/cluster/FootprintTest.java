package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FootprintTest {
  @Test
  void bothGenerationsAreHeapAndMetaspaceIsNot() throws IOException {
    assertEquals((100L + 23_456L) << 10, Footprint.used("""
        4711:
         def new generation   total 39296K, used 100K [0x00, 0x00, 0x00)
          eden space 34944K,   2% used [0x00, 0x00, 0x00)
         tenured generation   total 87424K, used 23456K [0x00, 0x00, 0x00)
           the space 87424K,   1% used [0x00, 0x00, 0x00, 0x00)
         Metaspace       used 777K, committed 999K, reserved 1114112K
        """));
  }

  @Test
  void unknownCollectorsHeapIsNotReported() {
    assertThrows(IOException.class, () -> Footprint.used("garbage-first heap   total 129024K, used 2048K"));
  }
}
