package org.understudy.lab.durability;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.understudy.lab.cluster.Cluster;

/** One group of replicas of a service with one durability mapping. Not thread-safe. */
final class Deployment {
  /** For {@link Breakdown}. */
  static final String TIMING = "understudy.timing.header=true";
  /** Many clients on few processors are no reason for a failover. */
  static final String PATIENT = "understudy.suspect.ms=5000";

  /** What is deployed. */
  enum Service {
    MATCHMAKER,
    COUNTERS
  }

  /**
   * How it is deployed.
   *
   * @param mapping the last part of the package of the generated service
   * @param replicas one: with the strategy none
   * @param database whether the group has a database
   * @param settings further keys of the configuration, with their values
   */
  record Form(Service service, String mapping, int replicas, boolean database, List<String> settings) {}

  private final Path script;
  private final Form form;
  private final String name;
  private final Cluster cluster;

  Deployment(Path script, int port, Form form) {
    this.script = script;
    this.form = form;
    boolean matchmaker = form.service() == Service.MATCHMAKER;
    // Another name than that of the last group at this port, so that this one does not continue from the other's journals.
    this.name = matchmaker ? "matchmaker" : "counters-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    this.cluster = new Cluster(script, port, form.replicas(), name, matchmaker ? "MatchmakerService" : "CounterService");
  }

  Cluster cluster() {
    return cluster;
  }

  /** The address of the service at each replica. */
  List<URI> services() {
    return cluster.services();
  }

  URL wsdl() throws IOException {
    return cluster.wsdl(1);
  }

  /** Starts the group, and waits until it is ready. */
  void up() throws IOException, InterruptedException {
    boolean alone = form.replicas() == 1;
    List<String> words = new ArrayList<>(List.of(
        "up", "--replicas", Integer.toString(form.replicas()), "--strategy", alone ? "none" : "primary-backup"));
    form.settings().forEach(setting -> words.addAll(List.of("--set", setting)));
    if (form.database()) {
      words.add("--database");
    }
    if (form.service() == Service.MATCHMAKER) {
      words.addAll(List.of("--service", "matchmaker"));
      cluster.run(environment(), words.toArray(new String[0]));
      return;
    }
    Path directory = Files.createTempDirectory("durability-bench");
    Path archive = directory.resolve(name + ".war");
    try {
      CounterArchive.write(root(), archive);
      words.addAll(List.of("--war", archive.toString()));
      cluster.run(environment(), words.toArray(new String[0]));
    } finally {
      Files.deleteIfExists(archive);
      Files.delete(directory);
    }
  }

  void kill(int replica) throws IOException, InterruptedException {
    cluster.run("kill", Integer.toString(replica));
  }

  /** Starts a killed replica, and waits until it has joined, if it can. */
  void restart(int replica) throws IOException, InterruptedException {
    cluster.run(environment(), "restart", Integer.toString(replica));
  }

  /** Stops all replicas, also of a group that has not started completely. */
  void down() throws IOException, InterruptedException {
    cluster.run("down");
  }

  private Path root() {
    return script.toAbsolutePath().normalize().getParent().getParent();
  }

  private Map<String, String> environment() {
    String property = form.service() == Service.MATCHMAKER ? "matchmaker.mapping" : CounterArchive.MAPPING;
    return Map.of("JAVA_OPTS", String.join(" ", Stream.of(
        "-D" + property + "=" + form.mapping(), "-Dmatchmaker.policy=immediate",
        // As scripts/cluster has it for the archives of this project.
        "-Dcatalina.config=" + root().resolve("conf/catalina-samples.properties").toUri()).toList()));
  }
}
