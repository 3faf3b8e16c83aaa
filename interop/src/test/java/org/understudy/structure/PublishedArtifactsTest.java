package org.understudy.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bill of materials lists every module that is published but archetypes, and nothing else. */
class PublishedArtifactsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(understudy-[^<]+)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  private static String pom(String module) throws Exception {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).findFirst().orElseThrow();
  }

  @Test
  void theBillOfMaterialsListsWhatIsPublished() throws Exception {
    Set<String> published = new TreeSet<>();
    for (MatchResult module : MODULE.matcher(pom(".")).results().toList()) {
      String pom = pom(module.group(1));
      if (!pom.contains("<maven.deploy.skip>true</maven.deploy.skip>") && !module.group(1).matches("bom|archetypes/.*")) {
        published.add(first(ARTIFACT, pom));
        assertTrue(pom.contains("<name>") && pom.contains("<description>"), module.group(1));
      }
    }
    String bom = pom("bom");
    String listed = bom.substring(bom.indexOf("<dependencyManagement>"));
    assertEquals(
        published,
        ARTIFACT.matcher(listed).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new)));
    assertFalse(bom.contains("<parent>"), "who imports the bill of materials gets the versions of Understudy only");
    assertEquals(first(VERSION, pom(".")), first(VERSION, bom));
  }
}
