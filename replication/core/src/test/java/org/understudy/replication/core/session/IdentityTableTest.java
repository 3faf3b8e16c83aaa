package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.request.RequestKey;

/** Compares the table with a map in the order of insertion. */
class IdentityTableTest {
  private record Identity(long digest, long owner, long index) {}

  @Test
  void findsEntriesUntilTheyEnd() {
    for (long seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      IdentityTable table = new IdentityTable();
      Map<RequestKey.OfMessageId, Identity> twin = new LinkedHashMap<>();
      List<RequestKey.OfMessageId> all = new ArrayList<>();
      for (int index = 1; index <= 3_000; index++) {
        // Few different buckets, so that entries are often displaced.
        RequestKey.OfMessageId key = new RequestKey.OfMessageId(random.nextInt(40), random.nextInt(1_000));
        boolean grows = index % 1_000 < 600;
        if (random.nextInt(10) < (grows ? 8 : 3) && !twin.containsKey(key)) {
          Identity identity = new Identity(random.nextLong(), random.nextInt(3), random.nextInt(5) == 0 ? -index : index);
          table.add(key, identity.digest(), identity.owner(), identity.index());
          twin.put(key, identity);
          all.add(key);
        } else if (!twin.isEmpty() && random.nextInt(10) < (grows ? 2 : 7)) {
          assertEquals(Math.abs(twin.values().iterator().next().index()), table.index(table.first()));
          table.removeFirst();
          twin.remove(twin.keySet().iterator().next());
        }
        assertEquals(twin.size(), table.size(), "seed " + seed);
        if (index % 100 == 0) {
          check(seed, table, twin, all);
          IdentityTable copy = new IdentityTable();
          copy.addAll(table.words());
          check(seed, copy, twin, all);
          assertArrayEquals(table.words(), copy.words());
        }
      }
    }
  }

  private static void check(
      long seed, IdentityTable table, Map<RequestKey.OfMessageId, Identity> twin, List<RequestKey.OfMessageId> all) {
    for (RequestKey.OfMessageId key : all) {
      int place = table.find(key);
      Identity expected = twin.get(key);
      Identity found =
          place < 0
              ? null
              : new Identity(
                  table.digest(place), table.owner(place), table.failed(place) ? -table.index(place) : table.index(place));
      assertEquals(expected, found, () -> "seed " + seed + ", " + key);
    }
  }
}
