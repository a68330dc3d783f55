/** Made by `npm run build:codecs` from the layouts of the messages: the same descriptions, as JSON. */
// biome-ignore format: lines of text
export const describedMessages =
  '{"nodes":[{"kind":"integer","bits":8,"signed":false,"order":"be"},{"kind":"literal","of":{"$":0},"value":128,"' +
  'parts":[{"shift":4,"mask":15,"code":"bad-length","why":"{} literals, the body has 8 and never a match"},{"shif' +
  't":0,"mask":15,"code":"bad-value","why":"low nibble is {}, expected 0"}]},{"kind":"struct","fields":[{"name":"' +
  'token","node":{"$":1},"hidden":true}]},{"kind":"integer","bits":32,"signed":false,"order":"be"},{"kind":"flags' +
  '","of":{"$":0},"flags":{"jump":0,"crawl":1,"horizontal":2,"sprint":3,"aim":4},"reserved":"refuse","shared":tru' +
  'e},{"kind":"struct","fields":[{"name":"tick","node":{"$":3}},{"name":"keys","node":{"$":4}},{"name":"direction' +
  '","node":{"$":0}},{"name":"yaw","node":{"$":0}},{"name":"pitch","node":{"$":0}}]},{"kind":"struct","fields":[{' +
  '"name":"","node":{"$":2}},{"name":"","node":{"$":5}}]},{"kind":"struct","fields":[{"name":"serverTick","node":' +
  '{"$":3}},{"name":"currentTick","node":{"$":3}}]},{"kind":"struct","fields":[{"name":"id","node":{"$":3}}]},{"k' +
  'ind":"integer","bits":1,"signed":false,"order":"be"},{"kind":"constant","value":"character"},{"kind":"float","' +
  'bits":32,"order":"be","finite":true},{"kind":"struct","fields":[{"name":"x","node":{"$":11}},{"name":"y","node' +
  '":{"$":11}},{"name":"z","node":{"$":11}}]},{"kind":"struct","fields":[{"name":"kind","node":{"$":10}},{"name":' +
  '"keys","node":{"$":4}},{"name":"direction","node":{"$":0}},{"name":"yaw","node":{"$":0}},{"name":"pitch","node' +
  '":{"$":0}},{"name":"position","node":{"$":12}}]},{"kind":"constant","value":"tumbling"},{"kind":"struct","fiel' +
  'ds":[{"name":"x","node":{"$":11}},{"name":"y","node":{"$":11}},{"name":"z","node":{"$":11}},{"name":"w","node"' +
  ':{"$":11}}]},{"kind":"struct","fields":[{"name":"kind","node":{"$":14}},{"name":"rotation","node":{"$":15}},{"' +
  'name":"position","node":{"$":12}},{"name":"velocity","node":{"$":12}},{"name":"angularVelocity","node":{"$":12' +
  '}}]},{"kind":"variant","tagName":"tumbling","tag":{"$":9},"cases":[{"tags":[0],"node":{"$":13},"when":{"kind":' +
  '["character"]},"hidden":true},{"tags":[1],"node":{"$":16},"when":{"kind":["tumbling"]},"hidden":true}]},{"kind' +
  '":"struct","fields":[{"name":"","node":{"$":8}},{"name":"","node":{"$":17}}],"order":["kind"]},{"kind":"bits",' +
  '"first":"msb","of":{"$":18},"padding":{"name":"padding","value":"zero"}},{"kind":"constant","value":"opaque"},' +
  '{"kind":"bytes","length":{"rest":253}},{"kind":"struct","fields":[{"name":"kind","node":{"$":20}},{"name":"dat' +
  'a","node":{"$":21}}]},{"kind":"variant","tagName":"type","tag":{"$":0},"cases":[{"tags":[6],"node":{"$":19},"w' +
  'hen":{"kind":["character","tumbling"]},"hidden":true},{"node":{"$":22},"when":{"kind":["opaque"]}}],"order":["' +
  'kind"]},{"kind":"sized","size":{"$":0},"extra":1,"of":{"$":23}},{"kind":"array","item":{"$":24},"length":{"cou' +
  'nt":{"$":0},"limit":255}},{"kind":"struct","fields":[{"name":"updates","node":{"$":25}}]},{"kind":"struct","fi' +
  'elds":[{"name":"","node":{"$":7}},{"name":"","node":{"$":26}}]},{"kind":"compressed","method":"lz4-block","lim' +
  'it":65034,"reserved":"refuse","of":{"$":27},"literals":8},{"kind":"struct","fields":[{"name":"version","node":' +
  '{"$":0}}]},{"kind":"struct","fields":[]},{"kind":"struct","fields":[{"name":"character","node":{"$":3}},{"name' +
  '":"tick","node":{"$":3}},{"name":"position","node":{"$":12}}]},{"kind":"struct","fields":[{"name":"character",' +
  '"node":{"$":3}}]}],"dialects":{"documented":{"idName":"id","id":0,"rows":[["client",30,"playerMovement",6],["s' +
  'erver",24,"unreliableUpdate",28],["client",240,"hello",29],["client",243,"use",30],["server",241,"playing",31]' +
  ',["server",242,"left",32]]}}}';
