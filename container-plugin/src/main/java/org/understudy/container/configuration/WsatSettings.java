package org.understudy.container.configuration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The settings of WS-AtomicTransaction.
 *
 * @param coordinator whether the web application also creates and decides transactions; else it is a participant only
 * @param directory what survives a restart of the web application, which has it alone
 * @param hosts of coordinators and participants, as their addresses name them
 * @param recovery between attempts to finish interrupted transactions
 * @param timeout how long a coordinator waits for a vote
 * @param tasks how many accepted messages may wait or be processed
 */
public record WsatSettings(boolean coordinator, Path directory, Set<String> hosts, Duration recovery, Duration timeout, int tasks) {
  /** Returns null when it is off. */
  static WsatSettings of(Map<Key, String> values) throws ConfigurationException {
    String role = values.get(Key.WSAT);
    if (role.equals("off")) {
      return null;
    }
    String directory = values.get(Key.WSAT_DIRECTORY);
    if (directory == null || directory.isEmpty()) {
      throw new ConfigurationException(
          "The key " + Key.WSAT_DIRECTORY.property() + " is missing (" + Key.WSAT_DIRECTORY.range() + "), and " + Key.WSAT.property()
              + " is " + role + ".");
    }
    return new WsatSettings(
        role.equals("coordinator"),
        Configuration.absolute(Key.WSAT_DIRECTORY, directory),
        Set.of(values.get(Key.WSAT_HOSTS).split("\\s*,\\s*")),
        Duration.ofSeconds(Long.parseLong(values.get(Key.WSAT_RECOVERY_S))),
        Duration.ofSeconds(Long.parseLong(values.get(Key.WSAT_TIMEOUT_S))),
        Integer.parseInt(values.get(Key.WSAT_TASKS)));
  }
}
