package org.understudy.durability.compiler.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.CodeBlock;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Writes an annotation as it stands in a class, without members that have their default. JavaPoet's own copy breaks annotations that
 * contain arrays of annotations, or empty arrays.
 */
final class AnnotationCopy {
  private AnnotationCopy() {}

  static AnnotationSpec of(Annotation annotation) {
    AnnotationSpec.Builder copy = AnnotationSpec.builder(annotation.annotationType());
    List<Method> members =
        Arrays.stream(annotation.annotationType().getDeclaredMethods()).sorted(Comparator.comparing(Method::getName)).toList();
    for (Method member : members) {
      Object value = value(annotation, member);
      if (Objects.deepEquals(value, member.getDefaultValue())) {
        continue;
      }
      if (!value.getClass().isArray()) {
        copy.addMember(member.getName(), code(value));
      } else if (Array.getLength(value) == 0) {
        copy.addMember(member.getName(), "{}");
      }
      for (int i = 0; value.getClass().isArray() && i < Array.getLength(value); i++) {
        copy.addMember(member.getName(), code(Array.get(value, i)));
      }
    }
    return copy.build();
  }

  private static Object value(Annotation annotation, Method member) {
    try {
      member.setAccessible(true);
      return member.invoke(annotation);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(annotation + " has no " + member.getName() + ".", e);
    }
  }

  private static CodeBlock code(Object value) {
    if (value instanceof Annotation nested) {
      return CodeBlock.of("$L", of(nested));
    } else if (value instanceof Class<?> type) {
      return CodeBlock.of("$T.class", type);
    } else if (value instanceof Enum<?> constant) {
      return CodeBlock.of("$T.$L", constant.getDeclaringClass(), constant.name());
    } else if (value instanceof String text) {
      return CodeBlock.of("$S", text);
    } else if (value instanceof Character character) {
      return ValueWriter.character(character);
    } else if (value instanceof Long || value instanceof Float) {
      return CodeBlock.of(value instanceof Long ? "$LL" : "$LF", value);
    }
    return CodeBlock.of("$L", value);
  }
}
