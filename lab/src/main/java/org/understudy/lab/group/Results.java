package org.understudy.lab.group;

import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.lab.group.refusal.Refusals;

/** What was measured; null or empty for parts that were not. */
final class Results {
  final Scale scale;
  Figures figures;
  Latencies latencies;
  HotResource hot;
  Refusals refusals;
  /** Bytes of an update on each link, by the replica that the client called. */
  final Map<Integer, Map<PeerTraffic.Link, Double>> traffic = new LinkedHashMap<>();
  int sequencer;

  Results(Scale scale) {
    this.scale = scale;
  }
}
