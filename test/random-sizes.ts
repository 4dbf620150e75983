import fc from 'fast-check';

// Where a test names a greatest length, random values reach it. Without this they end at ten elements, whatever the test says.
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });
