/** Reads the settings: every key with unit, default and range. */
package org.understudy.container.configuration;
