package org.understudy.test.repetition;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints the command that repeats a test when it has failed. Found with ServiceLoader; a module's tests run in its directory. */
public final class RepetitionListener implements TestExecutionListener {
  private volatile TestPlan plan;

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      test.getSource().flatMap(source -> command(test, source)).ifPresent(command -> System.out.println("Repeat it with: " + command));
    }
  }

  private Optional<String> command(TestIdentifier test, TestSource source) {
    Path module = RepetitionCommand.module(Path.of("").toAbsolutePath());
    if (source instanceof MethodSource method) {
      return Optional.of(RepetitionCommand.of(module, method.getClassName(), method.getMethodName(), strategy(test)));
    }
    return source instanceof ClassSource type
        ? Optional.of(RepetitionCommand.of(module, type.getClassName(), "", strategy(test)))
        : Optional.empty();
  }

  /** The strategy for which the class of the test runs; empty if it runs once for all. */
  private String strategy(TestIdentifier test) {
    for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = at.flatMap(plan::getParent)) {
      if (at.get().getUniqueIdObject().getLastSegment().getType().equals("class-template-invocation")) {
        return at.get().getDisplayName();
      }
    }
    return "";
  }
}
