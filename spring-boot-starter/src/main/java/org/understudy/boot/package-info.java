/** The plugin as an auto-configuration of Spring Boot. */
package org.understudy.boot;
