package org.understudy.container.twin;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The table: what is sent to each twin. */
final class TwinMessages {
  private TwinMessages() {}

  static List<TwinMessage> all() {
    List<TwinMessage> all =
        Stream.of(XmlMessages.all(), ValueMessages.all(), StyleMessages.all(), FaultMessages.all(), HttpMessages.all(),
            AddressingMessages.all())
            .flatMap(List::stream)
            .toList();
    Set<String> names = new HashSet<>();
    all.forEach(one -> {
      if (!names.add(one.name())) {
        throw new IllegalStateException("Two messages have the name " + one.name() + ".");
      }
    });
    return all;
  }
}
