package org.understudy.container.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.understudy.replication.runtime.management.JsonObject;

/**
 * Reports the health of the replicas of several groups: of each at {@code /NAME/live}, {@code /NAME/ready} and {@code /NAME/writable}, and
 * of all at {@code /live}, {@code /ready} and {@code /writable}. A check of all passes when it passes for every group that this web
 * application joins. Thread-safe; does not block.
 */
public final class GroupsHealth implements HealthReport {
  private final Map<String, Health> groups;
  private final Predicate<String> joins;

  /**
   * @param groups by name, in the order of the report
   * @param joins whether this web application joins a group, or may still join it
   */
  public GroupsHealth(Map<String, Health> groups, Predicate<String> joins) {
    this.groups = new LinkedHashMap<>(groups);
    this.joins = joins;
  }

  @Override
  public Answer answer(String check) {
    String path = String.valueOf(check);
    int slash = path.indexOf('/', 1);
    if (slash > 0) {
      Health group = groups.get(path.substring(1, slash));
      return group == null ? null : group.answer(path.substring(slash));
    }
    boolean passed = true;
    JsonObject reports = new JsonObject();
    for (Map.Entry<String, Health> group : groups.entrySet()) {
      Answer answer = group.getValue().answer(path);
      if (answer == null) {
        return null;
      }
      passed &= answer.status() == 200 || !joins.test(group.getKey());
      reports.putObject(group.getKey(), answer.body().strip());
    }
    JsonObject report = new JsonObject().put("passed", passed).putObject("groups", reports.toString());
    return new Answer(passed ? 200 : 503, report + "\n");
  }

  @Override
  public String usage() {
    return "Unknown path. Use /health/live, /health/ready or /health/writable for all groups, or /health/GROUP/ready and the like; the "
        + "groups are " + String.join(", ", groups.keySet()) + ".";
  }
}
