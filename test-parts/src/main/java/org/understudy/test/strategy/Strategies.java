package org.understudy.test.strategy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The strategy of the clusters of the running test class. A process runs one test class at a time. */
public final class Strategies implements ClassTemplateInvocationContextProvider, ExecutionCondition {
  private static final String PRIMARY_BACKUP = "primary-backup";
  private static final String SELECTED = System.getProperty("understudy.test.strategy", "");
  private static volatile String current = SELECTED.isEmpty() ? PRIMARY_BACKUP : SELECTED;

  /** The strategy of a cluster of several replicas, unless its settings name one. */
  public static String current() {
    return current;
  }

  /** The name of a strategy that undoes and repeats some runs: the current one, or {@link RollbackStrategy} in place of it. */
  public static String undoing() {
    return current.equals(PRIMARY_BACKUP) ? RollbackStrategy.NAME : current;
  }

  private record Invocation(String strategy) implements ClassTemplateInvocationContext {
    @Override
    public String getDisplayName(int index) {
      return strategy;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      String before = current;
      return List.of(
          (BeforeClassTemplateInvocationCallback) context -> current = strategy,
          (AfterClassTemplateInvocationCallback) context -> current = before);
    }
  }

  @Override
  public boolean supportsClassTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), ForEachStrategy.class);
  }

  @Override
  public Stream<Invocation> provideClassTemplateInvocationContexts(ExtensionContext context) {
    return Stream.of(PRIMARY_BACKUP, "group").filter(name -> SELECTED.isEmpty() || SELECTED.equals(name)).map(Invocation::new);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), OnlyWith.class)
        .filter(only -> !only.value().equals(current))
        .map(only -> ConditionEvaluationResult.disabled("Only with " + only.value() + ": " + only.because()))
        .orElse(ConditionEvaluationResult.enabled(null));
  }
}
