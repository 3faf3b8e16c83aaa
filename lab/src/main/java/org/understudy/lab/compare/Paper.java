package org.understudy.lab.compare;

import java.util.List;
import java.util.Map;

/**
 * The medians of Zhang et al., Fault-tolerant Grid Services Using Primary-Backup, IEEE Cluster 2004, Tables 1 to 4 (III.1
 * to III.4 of the thesis), in milliseconds: one backup, Globus Toolkit 3, 20 measurements each.
 */
final class Paper {
  private static final Map<Mode, List<Double>> STATE_TRANSFER =
      Map.of(
          Mode.NOTIFICATION, List.of(192.5, 189.0, 193.0, 195.5, 190.0),
          Mode.CALL, List.of(19.5, 19.0, 26.5, 30.0, 209.0),
          Mode.SOCKET, List.of(1.0, 2.0, 2.5, 12.0, 133.0));
  private static final Map<Mode, List<Double>> CLIENT_REQUEST =
      Map.of(
          Mode.NONE, List.of(44.0, 44.0, 44.0, 44.0, 44.0),
          Mode.NOTIFICATION, List.of(242.0, 241.0, 240.0, 238.5, 232.0),
          Mode.CALL, List.of(65.0, 72.0, 76.5, 74.0, 261.0),
          Mode.SOCKET, List.of(45.5, 47.0, 48.5, 55.5, 182.0));
  private static final Map<Mode, List<Double>> RATIO =
      Map.of(
          Mode.NOTIFICATION, List.of(5.5, 5.5, 5.5, 5.4, 5.3),
          Mode.CALL, List.of(1.5, 1.6, 1.7, 1.7, 5.9),
          Mode.SOCKET, List.of(1.0, 1.1, 1.1, 1.3, 4.1));
  private static final Map<Integer, Double> FAILOVER =
      Map.of(1, 189.0, 2, 215.0, 4, 524.0, 8, 896.0, 16, 1989.0);

  private Paper() {}

  /** Null where the paper has no figure. */
  static Double stateTransfer(Mode mode, int bytes) {
    return at(STATE_TRANSFER.get(mode), bytes);
  }

  static Double clientRequest(Mode mode, int bytes) {
    return at(CLIENT_REQUEST.get(mode), bytes);
  }

  static Double ratio(Mode mode, int bytes) {
    return at(RATIO.get(mode), bytes);
  }

  /** One row for all modes: clients are notified in the same way in each. */
  static Double failover(int clients) {
    return FAILOVER.get(clients);
  }

  private static Double at(List<Double> row, int bytes) {
    int place = RoundTrips.BYTES.indexOf(bytes);
    return row == null || place < 0 ? null : row.get(place);
  }
}
