package org.understudy.firststeps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A local repository of Maven as {@code mvn install} leaves it: with the artifacts of this build, and links to everything else
 * that the user's own has.
 */
final class BuiltArtifacts {
  /** The directory of this project. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Of JVMs that live for seconds: the second compiler and the threads of a collector cost more than they gain. */
  static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final Path repository;
  private final Path bin;
  private final String version;

  /** Makes it in {@code target}. */
  BuiltArtifacts() throws IOException {
    this.repository = Files.createTempDirectory(Path.of("target"), "m2-").toAbsolutePath();
    this.bin = Files.createTempDirectory(Path.of("target"), "bin-").toAbsolutePath();
    writeCommand(bin.resolve("mvn"));
    Path own = Files.createDirectories(repository.resolve("org/understudy"));
    Path usual = Path.of(System.getProperty("first-steps.repository"));
    link(usual, repository, "org");
    link(usual.resolve("org"), repository.resolve("org"), "understudy");
    Element parent = pom(ROOT);
    this.version = text(parent, "version");
    install(own, ROOT, parent);
    for (String module : texts(parent, "modules", "module")) {
      Element pom = pom(ROOT.resolve(module));
      if (!"true".equals(text(pom, "properties", "maven.deploy.skip"))) {
        install(own, ROOT.resolve(module), pom);
      }
    }
  }

  /** Not by MAVEN_OPTS, whose words cannot have spaces. */
  private void writeCommand(Path mvn) throws IOException {
    Files.writeString(
        mvn,
        "#!/bin/sh\nexec " + quoted(System.getProperty("first-steps.maven")) + " -Dmaven.repo.local=" + quoted(repository.toString())
            + " \"$@\"\n");
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Of all artifacts. */
  String version() {
    return version;
  }

  private static void link(Path from, Path to, String but) throws IOException {
    try (Stream<Path> all = Files.list(from)) {
      for (Path one : all.filter(path -> !path.getFileName().toString().equals(but)).toList()) {
        Files.createSymbolicLink(to.resolve(one.getFileName()), one);
      }
    }
  }

  private static void install(Path own, Path module, Element pom) throws IOException {
    String artifact = text(pom, "artifactId");
    String version = text(pom, "version") == null ? text(pom, "parent", "version") : text(pom, "version");
    Path directory = Files.createDirectories(own.resolve(artifact).resolve(version));
    String name = artifact + "-" + version;
    Files.copy(module.resolve("pom.xml"), directory.resolve(name + ".pom"));
    Path jar = module.resolve("target").resolve(name + ".jar");
    if (Files.exists(jar)) {
      Files.copy(jar, directory.resolve(name + ".jar"));
    } else if (!"pom".equals(text(pom, "packaging"))) {
      throw new IOException(jar + " is missing; build with mvn package first.");
    }
  }

  /** The environment in which {@code mvn} uses this repository. */
  Map<String, String> environment() {
    return Map.of(
        // As in .ci/run: these builds are short.
        "MAVEN_OPTS", OPTIONS,
        "PATH", bin + ":" + System.getenv("PATH"),
        "UNDERSTUDY", ROOT.toString());
  }

  private static Element pom(Path module) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(module.resolve("pom.xml").toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("The pom.xml in " + module + " cannot be read.", e);
    }
  }

  private static List<Element> children(Element of, String name) {
    List<Element> found = new ArrayList<>();
    for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<String> texts(Element of, String outer, String inner) {
    return children(of, outer).stream()
        .flatMap(list -> children(list, inner).stream())
        .map(element -> element.getTextContent().strip())
        .toList();
  }

  /** Null when there is none. */
  private static String text(Element of, String... path) {
    Element at = of;
    for (String name : path) {
      List<Element> found = children(at, name);
      if (found.isEmpty()) {
        return null;
      }
      at = found.get(0);
    }
    return at.getTextContent().strip();
  }
}
