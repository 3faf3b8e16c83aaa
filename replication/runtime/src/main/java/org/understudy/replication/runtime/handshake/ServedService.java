package org.understudy.replication.runtime.handshake;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One service of a replica, as far as it must be equal at every replica of the group. Immutable.
 *
 * @param path of the service within the web application; it identifies the service
 * @param settings the settings that must be equal, by the name that a log line shows. A setting that only one replica announces is
 *     not compared, so that a later version can announce more
 * @param shape the fingerprint of the captured state; empty when the service captures its own state
 * @param classes the fields or constants of each class of the state, by its name. They only name the difference of two shapes; empty
 *     when unknown
 */
public record ServedService(
    String path, SortedMap<String, String> settings, String shape, SortedMap<String, List<String>> classes) {
  private static final String SAME_SHAPE =
      " A replica with another shape of the state does not join a running group: deploy the version that the group runs, or see "
          + "\"A changed shape\" in docs/services.md.";

  public ServedService {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(shape, "shape");
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    TreeMap<String, List<String>> copies = new TreeMap<>();
    classes.forEach((name, members) -> copies.put(name, List.copyOf(members)));
    classes = Collections.unmodifiableSortedMap(copies);
  }

  /** Returns this service without the classes of its state. */
  ServedService withoutClasses() {
    return new ServedService(path, settings, shape, new TreeMap<>());
  }

  /** Returns the first difference of two lists of services, in one or two sentences; null for none. */
  static String difference(List<ServedService> own, List<ServedService> others) {
    Map<String, ServedService> here = byPath(own);
    Map<String, ServedService> there = byPath(others);
    for (ServedService service : here.values()) {
      ServedService other = there.get(service.path);
      if (other == null) {
        return "It does not serve " + printable(service.path) + ", which this replica serves. Deploy the same services on every replica.";
      }
      String difference = service.difference(other);
      if (difference != null) {
        return difference;
      }
    }
    for (String path : there.keySet()) {
      if (!here.containsKey(path)) {
        return "It serves " + printable(path) + ", which this replica does not serve. Deploy the same services on every replica.";
      }
    }
    return null;
  }

  private static Map<String, ServedService> byPath(List<ServedService> services) {
    Map<String, ServedService> byPath = new TreeMap<>();
    services.forEach(service -> byPath.put(service.path, service));
    return byPath;
  }

  private String difference(ServedService other) {
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      String there = other.settings.get(setting.getKey());
      if (there != null && !there.equals(setting.getValue())) {
        return "Its service " + printable(path) + " has " + setting.getKey() + "=" + printable(there) + ", that of this replica "
            + setting.getKey() + "=" + setting.getValue() + ". Configure every replica of the group alike.";
      }
    }
    if (shape.equals(other.shape)) {
      return null;
    }
    return "The state of its service " + printable(path) + " has another shape: " + classDifference(other) + "." + SAME_SHAPE;
  }

  private String classDifference(ServedService other) {
    if (!classes.isEmpty() && !other.classes.isEmpty()) {
      TreeSet<String> all = new TreeSet<>(classes.keySet());
      all.addAll(other.classes.keySet());
      // A class that only one side has follows from a field of another class, which says more.
      for (String name : all) {
        List<String> here = classes.get(name);
        List<String> there = other.classes.get(name);
        if (here != null && there != null && !here.equals(there)) {
          return memberDifference(name, here, there);
        }
      }
      for (String name : all) {
        if (!classes.containsKey(name) || !other.classes.containsKey(name)) {
          return "only that of " + (classes.containsKey(name) ? "this" : "that") + " replica contains the class " + printable(name);
        }
      }
    }
    return "it has the fingerprint " + printable(other.shape.isEmpty() ? "none" : other.shape) + ", that of this replica "
        + (shape.isEmpty() ? "none" : shape);
  }

  private static String memberDifference(String name, List<String> here, List<String> there) {
    String only = first(there, here);
    String own = first(here, there);
    String begin = "the class " + printable(name) + " has ";
    if (only != null && own != null) {
      return begin + printable(only) + ", at this replica " + printable(own);
    }
    if (only != null) {
      return begin + printable(only) + ", at this replica it has not";
    }
    return own == null ? begin + "its fields in another order" : begin + "no " + printable(own) + ", at this replica it has";
  }

  /** Returns the first text that only the first list contains. */
  private static String first(List<String> texts, List<String> others) {
    List<String> left = new ArrayList<>(texts);
    left.removeAll(others);
    return left.isEmpty() ? null : left.get(0);
  }

  private static String printable(String text) {
    return RefusalLog.printable(text);
  }
}
