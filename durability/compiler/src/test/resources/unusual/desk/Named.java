package desk;

abstract class Named {
  public String getName() {
    return "";
  }
}
