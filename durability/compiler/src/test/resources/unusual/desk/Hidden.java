package desk;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

abstract class Hidden {
  @Retention(RetentionPolicy.RUNTIME)
  @interface Mark {}

  public String inherited() {
    return "inherited";
  }
}
